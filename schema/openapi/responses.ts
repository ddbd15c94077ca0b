import { ATTEMPTS_MAX } from '../words/idempotency.ts';
import { codeOf, FAILURES, type CustomerFailure } from '../errors.ts';
import { refer, type HeaderName } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import type { Terms } from './terms.ts';

const schema = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** What a failed request gets, in words. */
const say = ({ maxAddresses }: Terms): Readonly<Record<CustomerFailure, string>> => ({
  INVALID_INPUT: 'The body is not as described.',
  TOO_MANY: `The request has more than ${maxAddresses} entries.`,
  MISSING_EMAIL: 'The query parameter `email` is missing.',
  UNAUTHORIZED: 'The API key is missing or not valid.',
  NO_CREDITS: 'The balance, or what a cap of the key leaves, does not cover the whole request, and nothing is charged.',
  IDEMPOTENCY_IN_PROGRESS: 'An earlier request with this `Idempotency-Key` is still in progress. Nothing is charged.',
  IDEMPOTENCY_MISMATCH: 'This `Idempotency-Key` was used with another body. Nothing is charged.',
  IDEMPOTENCY_EXHAUSTED: `${ATTEMPTS_MAX} requests have used this \`Idempotency-Key\`. Nothing is charged.`,
  NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path does not take this method.',
  BODY_TOO_LARGE: 'The body is too large: split the batch.',
  RATE_LIMITED:
    'Too many requests with this key or of this account, too many without a valid key from this network, or no room for the request at present. Nothing is charged.',
  INTERNAL_ERROR: 'The verification failed on our side. All credits are refunded.',
  UNEXPECTED: 'An unexpected error.',
});

/** Headers of a failure, besides those of every answer and of every call with a key. */
const OWN: Readonly<Partial<Record<CustomerFailure, readonly HeaderName[]>>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  NO_CREDITS: ['Rcpt-Remaining'],
  METHOD_NOT_ALLOWED: ['Allow'],
  IDEMPOTENCY_IN_PROGRESS: ['Retry-After'],
  IDEMPOTENCY_EXHAUSTED: ['Retry-After'],
  RATE_LIMITED: ['Retry-After'],
  INTERNAL_ERROR: ['Retry-After'],
  UNEXPECTED: ['Retry-After'],
};

/** A response with a JSON body of a named schema. */
export function answer(description: string, name: string, example: Json, headers: readonly HeaderName[]): JsonObject {
  return {
    description,
    headers: refer(headers),
    content: { 'application/json': { schema: schema(name), example } },
  };
}

/** The responses to requests that fail in these ways, by status. @param headers on all of them, besides their own */
export function failures(terms: Terms, ways: readonly CustomerFailure[], headers: readonly HeaderName[]): JsonObject {
  const byStatus = Map.groupBy(ways, (way) => FAILURES[way].status);
  const said = say(terms);
  return Object.fromEntries([...byStatus].map(([status, those]) => [String(status), failure(said, those, headers)]));
}

/** One type for all errors: a generated client reads `code` without asking which error it is. */
function failure(
  said: ReturnType<typeof say>,
  ways: readonly CustomerFailure[],
  headers: readonly HeaderName[],
): JsonObject {
  const examples = ways.map((way) => {
    const code = codeOf(way);
    const value = { error: said[way], ...(code === null ? {} : { code }) };
    return [way, { value }] as const;
  });
  return {
    description: ways.map((way) => said[way]).join(' '),
    headers: refer([...headers, ...ways.flatMap((way) => OWN[way] ?? [])]),
    content: { 'application/json': { schema: schema('ErrorBody'), examples: Object.fromEntries(examples) } },
  };
}
