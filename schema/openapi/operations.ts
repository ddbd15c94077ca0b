import type { Failure } from '../errors.ts';
import { KEPT_HOURS, KEY_LENGTH_MAX } from '../words/idempotency.ts';
import { REASON_ROWS, REASONS } from '../words/reasons.ts';
import { EXAMPLES } from './examples.ts';
import { describeForm } from './form.ts';
import { BILL, limitHeaders, refer, type HeaderName } from './headers.ts';
import type { JsonObject } from './json.ts';
import { answer, failures } from './responses.ts';
import type { Terms } from './terms.ts';

const VERIFY_FAILURES = [
  'INVALID_INPUT',
  'TOO_MANY',
  'UNAUTHORIZED',
  'NO_CREDITS',
  'BODY_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNEXPECTED',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_MISMATCH',
  'IDEMPOTENCY_EXHAUSTED',
] as const satisfies readonly Failure[];

const REFUNDED = REASONS.filter((reason) => REASON_ROWS[reason].credit === 'returned').map((reason) => `\`${reason}\``);

export function describePaths(terms: Terms): JsonObject {
  return {
    '/api/v1/verify': { post: describeVerify(terms) },
    '/api/v1/form': { post: describeForm(terms) },
    '/api/v1/credits': { get: describeCredits(terms) },
    '/api/v1/openapi.json': { get: describeDocument(terms) },
    '/health': { get: describeHealth(terms) },
  };
}

function describeVerify(terms: Terms): JsonObject {
  const cost =
    terms.charge === 'probed'
      ? 'Each distinct address costs one credit; an entry that is not an address costs nothing.'
      : 'Each entry costs one credit, even if it is not an address.';
  const common: readonly HeaderName[] = ['Idempotency-Charged', ...limitHeaders(terms)];
  return {
    operationId: 'verify',
    summary: 'Verify addresses',
    description: [
      `Probes each address live and answers within ${terms.deadlineS} s, with one element per entry, in the order of the entries.`,
      `${cost} A credit is refunded if the receiving server refused the connection before it looked at the address`,
      `(${REFUNDED.join(', ')}), and for everything that was not delivered.`,
      'With `Prefer: wait=3` it answers within three seconds, and what is not finished by then is `unknown` and free.',
      'With `Accept: application/x-ndjson` the answer has one element per line, each as soon as it is known; an element is',
      'delivered, and charged, when it is written, and the last line says what the request cost.',
    ].join(' '),
    tags: ['Verification'],
    parameters: [IDEMPOTENCY_KEY, describePrefer(terms)],
    requestBody: describeBody(terms),
    responses: {
      '200': {
        description: 'One element per entry.',
        headers: refer([...BILL, 'Preference-Applied', ...common]),
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: '#/components/schemas/VerifyElement' } },
            example: EXAMPLES.elements,
          },
          'application/x-ndjson': {
            schema: {
              type: 'array',
              description: 'One element per line.',
              items: { $ref: '#/components/schemas/VerifyLine' },
            },
            example: EXAMPLES.lines,
          },
        },
      },
      ...failures(terms, VERIFY_FAILURES, common),
      ...failures(terms, ['METHOD_NOT_ALLOWED'], []),
    },
  };
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    `1 to ${KEY_LENGTH_MAX} printable ASCII characters of your choice, bare or as a quoted string (\`"…"\`, RFC 8941): both ` +
    `spell the same key. For ${KEPT_HOURS} hours, requests of your account with the same key and the same body together cost ` +
    'at most what one of them costs: each element is charged once. A repeat is verified afresh.',
  required: false,
  schema: { type: 'string', minLength: 1 },
  example: 'list-7f3a/12',
};

function describePrefer({ deadlineS }: Terms): JsonObject {
  return {
    name: 'Prefer',
    in: 'header',
    description:
      `\`wait=N\` (RFC 7240), 1 to ${deadlineS}: the answer comes within N seconds. What is not finished by then is ` +
      '`unknown` with the reason `timeout`, costs nothing, and has a `retry_after`.',
    required: false,
    schema: { type: 'string' },
    example: 'wait=3',
  };
}

function describeBody({ maxBodyBytes }: Terms): JsonObject {
  return {
    description: `At most ${maxBodyBytes} bytes. It is read as JSON, with any content type.`,
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/VerifyRequest' }, example: EXAMPLES.request },
    },
  };
}

function describeCredits(terms: Terms): JsonObject {
  return {
    operationId: 'readCredits',
    summary: 'Read the balance',
    tags: ['Account'],
    responses: {
      '200': answer('The balance of the account.', 'Credits', EXAMPLES.credits, limitHeaders(terms)),
      ...failures(terms, ['UNAUTHORIZED', 'RATE_LIMITED', 'UNEXPECTED'], limitHeaders(terms)),
      ...failures(terms, ['METHOD_NOT_ALLOWED'], []),
    },
  };
}

function describeDocument(terms: Terms): JsonObject {
  return {
    operationId: 'readDescription',
    summary: 'Read this document',
    tags: ['Service'],
    security: [],
    responses: {
      '200': {
        description: 'The API as this deployment serves it.',
        headers: refer([]),
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...failures(terms, ['METHOD_NOT_ALLOWED', 'UNEXPECTED'], []),
    },
  };
}

function describeHealth(terms: Terms): JsonObject {
  return {
    operationId: 'readHealth',
    summary: 'Whether requests can be served',
    tags: ['Service'],
    security: [],
    responses: {
      '200': answer('Requests are served.', 'Health', EXAMPLES.health, []),
      ...failures(terms, ['METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'UNEXPECTED'], []),
      '503': answer(
        'Requests are not served at the moment, or most of them fail; `problems` says why.',
        'Health',
        { ...EXAMPLES.health, ready: 0, problems: ['no connected host takes new batches'] },
        [],
      ),
    },
  };
}
