import { ATTEMPTS_MAX } from '../words/idempotency.ts';
import { codeOf, FAILURES, type CustomerFailure } from '../errors.ts';
import { refer, type HeaderName } from './headers.ts';
import type { Json, JsonObject } from './json.ts';
import type { Terms } from './terms.ts';

const schema = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

type Said = Readonly<Record<CustomerFailure, { readonly summary: string; readonly example: string }>>;

/** What a failed request gets, in words for the document and as an example. */
const say = ({ maxAddresses, maxBodyBytes, ratePerMinute }: Terms): Said => ({
  INVALID_INPUT: {
    summary: 'The body is not a JSON object with `emails`, an array of at least one entry.',
    example: 'The body must be an object with "emails", an array of at least one address.',
  },
  TOO_MANY: {
    summary: 'The request has too many entries.',
    example: `${maxAddresses + 1} entries; at most ${maxAddresses} are allowed in one request.`,
  },
  MISSING_EMAIL: {
    summary: 'The query parameter `email` is missing.',
    example: 'The query parameter "email" is required.',
  },
  UNAUTHORIZED: {
    summary: 'The API key is missing or not valid.',
    example: 'A valid API key is required, as "Authorization: Bearer <key>".',
  },
  NO_CREDITS: {
    summary: 'The balance does not cover the whole request. Nothing is charged.',
    example: 'This request needs 3 credits; 2 remain.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    summary: 'An earlier request with this `Idempotency-Key` is still in progress. Nothing is charged.',
    example: 'A request with this Idempotency-Key is still in progress.',
  },
  IDEMPOTENCY_MISMATCH: {
    summary: 'This `Idempotency-Key` was used with another body. Nothing is charged.',
    example: 'This Idempotency-Key was used with another body.',
  },
  IDEMPOTENCY_EXHAUSTED: {
    summary: `${ATTEMPTS_MAX} requests have used this \`Idempotency-Key\`. Nothing is charged.`,
    example: `${ATTEMPTS_MAX} requests have used this Idempotency-Key: no more are served under it.`,
  },
  NOT_FOUND: { summary: 'There is nothing at this path.', example: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: {
    summary: 'The path does not take this method.',
    example: 'This path takes POST only.',
  },
  BODY_TOO_LARGE: {
    summary: 'The body is too large: split the batch.',
    example: `The body is larger than ${maxBodyBytes} bytes: split the batch.`,
  },
  RATE_LIMITED: {
    summary:
      'Too many requests with this key or of this account, too many without a valid key from this network, or no room for the request at present. Nothing is charged.',
    example: `More than ${ratePerMinute} requests in a minute with this key.`,
  },
  INTERNAL_ERROR: {
    summary: 'The verification failed on our side. All credits are refunded.',
    example: 'The verification failed on our side. This request costs nothing.',
  },
  UNEXPECTED: { summary: 'An unexpected error.', example: 'Something went wrong on our side.' },
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

/**
 * The responses to requests that fail in these ways, by status.
 * @param headers on all of them, besides their own
 */
export function failures(terms: Terms, ways: readonly CustomerFailure[], headers: readonly HeaderName[]): JsonObject {
  const byStatus = Map.groupBy(ways, (way) => FAILURES[way].status);
  const said = say(terms);
  return Object.fromEntries([...byStatus].map(([status, those]) => [String(status), failure(said, those, headers)]));
}

/** One type for all errors: a generated client reads `code` without asking which error it is. */
function failure(said: Said, ways: readonly CustomerFailure[], headers: readonly HeaderName[]): JsonObject {
  const examples = ways.map((way) => {
    const code = codeOf(way);
    const value = { error: said[way].example, ...(code === null ? {} : { code }) };
    return [way, { value }] as const;
  });
  return {
    description: ways.map((way) => said[way].summary).join(' '),
    headers: refer([...headers, ...ways.flatMap((way) => OWN[way] ?? [])]),
    content: { 'application/json': { schema: schema('ErrorBody'), examples: Object.fromEntries(examples) } },
  };
}
