import { namesOf } from './open.ts';

// The codes of an error's body: one row for each, with its HTTP status, whether the same call may succeed later, and
// what a caller can do. An answer of 404, 405 or 413 has no code.

type Row = { readonly status: number; readonly retryable: boolean; readonly whatToDo: string };

export const ERROR_CODE_ROWS = {
  INVALID_INPUT: { status: 400, retryable: false, whatToDo: 'Correct the input that the message names.' },
  TOO_MANY: { status: 400, retryable: false, whatToDo: 'Send fewer entries in each request.' },
  MISSING_EMAIL: { status: 400, retryable: false, whatToDo: 'Pass the address as `email`.' },
  UNAUTHORIZED: {
    status: 401,
    retryable: false,
    whatToDo: 'Check the API key: it may be mistyped, deleted or for another service.',
  },
  NO_CREDITS: {
    status: 402,
    retryable: false,
    whatToDo: 'Buy credits, or raise the cap of the key if the message names one, then verify what is left.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    retryable: true,
    whatToDo:
      'Wait as long as `Retry-After` says: an earlier request with this `Idempotency-Key` is still in progress.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    retryable: false,
    whatToDo: 'Use another `Idempotency-Key` for another body.',
  },
  IDEMPOTENCY_EXHAUSTED: {
    status: 429,
    retryable: false,
    whatToDo: 'Use a new `Idempotency-Key`: this one has been used in as many requests as it may be.',
  },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    whatToDo: 'Wait as long as `Retry-After` says, or use fewer keys and requests at once.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retryable: true,
    whatToDo: 'Try again later; if it persists, give the operator the request id.',
  },
} as const satisfies Readonly<Record<string, Row>>;

export type ErrorCode = keyof typeof ERROR_CODE_ROWS;
export const ERROR_CODES = namesOf(ERROR_CODE_ROWS);
