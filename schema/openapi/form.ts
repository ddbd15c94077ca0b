import { FORM_WAIT_S } from '../words/form.ts';
import { EXAMPLES } from './examples.ts';
import type { JsonObject } from './json.ts';
import { answer, failures } from './responses.ts';
import type { Terms } from './terms.ts';

/** POST /api/v1/form, which pages of other sites call. */
export function describeForm(terms: Terms): JsonObject {
  return {
    operationId: 'checkForm',
    summary: 'Check the address in a form',
    description: [
      'For pages of the origins that the key of a form names; `/form.js` calls it. Public: a form key opens nothing else, and a',
      'secret key is refused here. It probes and costs what a verification of one address does, and answers within',
      `${FORM_WAIT_S.usual} s with a verdict alone. Key and address come in one body of text, so that browsers send it without`,
      'asking for leave; the answer may be read by pages of the origin that asked. The key being in the body, 413 and a body that',
      'is no JSON come before 401.',
    ].join(' '),
    tags: ['Verification'],
    security: [],
    requestBody: {
      description: 'At most 4096 bytes of JSON, with any content type but those of a form.',
      required: true,
      content: {
        'text/plain': { schema: { $ref: '#/components/schemas/FormRequest' }, example: EXAMPLES.formRequest },
      },
    },
    responses: {
      '200': answer('What to tell the person.', 'FormAnswer', EXAMPLES.formAnswer, []),
      ...failures(
        terms,
        [
          'INVALID_INPUT',
          'UNAUTHORIZED',
          'METHOD_NOT_ALLOWED',
          'BODY_TOO_LARGE',
          'IDEMPOTENCY_IN_PROGRESS',
          'IDEMPOTENCY_MISMATCH',
          'INTERNAL_ERROR',
          'UNEXPECTED',
          'RATE_LIMITED',
          'IDEMPOTENCY_EXHAUSTED',
        ],
        [],
      ),
      '402': answer(
        'The account has no credits left.',
        'ErrorBody',
        { error: 'No credits are left.', code: 'NO_CREDITS' },
        [],
      ),
    },
  };
}
