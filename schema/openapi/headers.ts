import type { JsonObject } from './json.ts';
import type { Terms } from './terms.ts';

const text = (description: string, schema: JsonObject, required: boolean): JsonObject => ({
  description,
  required,
  schema,
});
const whole = (minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum });

/** On every answer of the service. */
const ALWAYS = ['X-Request-Id', 'Cache-Control', 'Strict-Transport-Security', 'X-Content-Type-Options'] as const;
/** On every answer to a call with a key, while the limiter can be reached. */
const LIMITED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'] as const;

const HEADERS = {
  'X-Request-Id': text(
    'Identifies the request; quote it when you contact the operator.',
    { type: 'string', format: 'uuid' },
    true,
  ),
  'Cache-Control': text('The answer must not be stored.', { type: 'string', const: 'no-store' }, true),
  'Strict-Transport-Security': text('HTTPS only.', { type: 'string', pattern: '^max-age=[0-9]+' }, true),
  'X-Content-Type-Options': text('The content type must not be guessed.', { type: 'string', const: 'nosniff' }, true),
  'RateLimit-Remaining': text('Requests left in this window.', { type: 'integer', minimum: 0 }, false),
  'RateLimit-Reset': text('Seconds until the window ends.', whole(1, 60), false),
  'Retry-After': text('Seconds to wait.', whole(1, 86_400), true),
  'WWW-Authenticate': text('The expected scheme.', { type: 'string', const: 'Bearer' }, true),
  'Rcpt-Charged': text(
    'Credits that this request cost. An NDJSON answer says so in its last line.',
    { type: 'integer', minimum: 0 },
    false,
  ),
  'Rcpt-Returned': text(
    'Credits that were taken for this request and refunded. An NDJSON answer says so in its last line.',
    { type: 'integer', minimum: 0 },
    false,
  ),
  'Rcpt-Remaining': text('Credits that the account has left.', { type: 'integer', minimum: 0 }, true),
  'Idempotency-Charged': text(
    'With an `Idempotency-Key`: credits that the earlier requests with this key cost, all together. The elements they paid for are free in this one.',
    { type: 'integer', minimum: 0 },
    false,
  ),
  'Preference-Applied': text(
    'The wait that was asked for and kept.',
    { type: 'string', pattern: '^wait=[0-9]+$' },
    false,
  ),
  Allow: text('The allowed methods.', { type: 'string' }, true),
  Deprecation: text('When this form was deprecated (RFC 9745).', { type: 'string', pattern: '^@[0-9]+$' }, true),
  Link: text('The form to use instead.', { type: 'string' }, true),
} as const satisfies JsonObject;

export type HeaderName = keyof typeof HEADERS | (typeof LIMITED)[number];

/** Headers of the document by name. */
export function describeHeaders({ ratePerMinute, legacy }: Terms): JsonObject {
  const { Deprecation, Link, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': reset, ...rest } = HEADERS;
  const limited = {
    'RateLimit-Limit': text('Requests per minute with one key.', { type: 'integer', const: ratePerMinute }, false),
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': reset,
    'RateLimit-Policy': text(
      'Requests, and the window in seconds.',
      { type: 'string', const: `${ratePerMinute};w=60` },
      false,
    ),
  };
  return { ...rest, ...(ratePerMinute === 0 ? {} : limited), ...(legacy ? { Deprecation, Link } : {}) };
}

/** On an answer with results: what it cost. */
export const BILL = ['Rcpt-Charged', 'Rcpt-Returned'] as const;

/** The headers of one response: those that every answer has, and these. */
export function refer(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries([...ALWAYS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers that tell how much of a key's limit is left. */
export function limitHeaders({ ratePerMinute }: Terms): readonly HeaderName[] {
  return ratePerMinute === 0 ? [] : LIMITED;
}
