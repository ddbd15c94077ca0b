import type { JsonObject } from './json.ts';
import type { Terms } from './terms.ts';

const TEXT: JsonObject = { type: 'string' };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };

/** On every answer to a call with a key, while the limiter can be reached. */
const LIMITED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'] as const;

/** What a header says, its form, and whether an answer that may have it always does. */
const HEADERS = {
  'Rcpt-Request-Id': [
    'Identifies the request; quote it when you contact the operator.',
    { ...TEXT, format: 'uuid' },
    true,
  ],
  'Retry-After': ['Seconds to wait.', { ...COUNT, minimum: 1, maximum: 86_400 }, true],
  'WWW-Authenticate': ['The expected scheme.', { ...TEXT, const: 'Bearer' }, true],
  'Rcpt-Charged': ['Credits that this request cost. An NDJSON answer says so in its last line.', COUNT, false],
  'Rcpt-Returned': ['Credits that were taken for this request and refunded; as Rcpt-Charged.', COUNT, false],
  'Rcpt-Remaining': [
    'Credits that are left: of the account, or of the cap of the key that the message names.',
    COUNT,
    true,
  ],
  'Idempotency-Charged': [
    'With an `Idempotency-Key`: credits that the earlier requests with this key cost, all together. The elements they paid for are free in this one.',
    COUNT,
    false,
  ],
  'Preference-Applied': ['The wait that was asked for and kept.', { ...TEXT, pattern: '^wait=[0-9]+$' }, false],
  Allow: ['The allowed methods.', TEXT, true],
} as const satisfies Readonly<Record<string, readonly [meaning: string, form: JsonObject, isAlways: boolean]>>;
export type HeaderName = keyof typeof HEADERS | (typeof LIMITED)[number];

/** Headers of the document by name. */
export function describeHeaders({ ratePerMinute }: Terms): JsonObject {
  const limited = {
    'RateLimit-Limit': ['Requests per minute with one key.', { type: 'integer', const: ratePerMinute }, false],
    'RateLimit-Remaining': ['Requests left in this window.', COUNT, false],
    'RateLimit-Reset': ['Seconds until the window ends.', { ...COUNT, minimum: 1, maximum: 60 }, false],
    'RateLimit-Policy': ['Requests, and the window in seconds.', { ...TEXT, const: `${ratePerMinute};w=60` }, false],
  } as const;
  const all = { ...HEADERS, ...(ratePerMinute === 0 ? {} : limited) };
  return Object.fromEntries(
    Object.entries(all).map(([name, [description, schema, required]]) => [name, { description, required, schema }]),
  );
}

/** On an answer with results: what it cost. */
export const BILL = ['Rcpt-Charged', 'Rcpt-Returned'] as const;

/** The headers of one response: those that every answer has, and these. */
export function refer(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(
    ['Rcpt-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The headers that tell how much of a key's limit is left. */
export function limitHeaders({ ratePerMinute }: Terms): readonly HeaderName[] {
  return ratePerMinute === 0 ? [] : LIMITED;
}
