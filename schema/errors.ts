/**
 * Every way a request can fail, with its HTTP status and the stable code of its body.
 * `code` null: the interface gives that answer no code (404, 405, 413, and a 500 nobody foresaw).
 */
export const FAILURES = {
  INVALID_INPUT: { status: 400, code: 'INVALID_INPUT' },
  TOO_MANY: { status: 400, code: 'TOO_MANY' },
  MISSING_EMAIL: { status: 400, code: 'MISSING_EMAIL' },
  UNAUTHORIZED: { status: 401, code: 'UNAUTHORIZED' },
  NO_CREDITS: { status: 402, code: 'NO_CREDITS' },
  NOT_FOUND: { status: 404, code: null },
  METHOD_NOT_ALLOWED: { status: 405, code: null },
  BODY_TOO_LARGE: { status: 413, code: null },
  RATE_LIMITED: { status: 429, code: 'RATE_LIMITED' },
  INTERNAL_ERROR: { status: 500, code: 'INTERNAL_ERROR' },
  UNEXPECTED: { status: 500, code: null },
} as const;

export type Failure = keyof typeof FAILURES;

/**
 * A request that ends in an answer of the interface's error form. Thrown, but no `Error`: it is foreseen, and the stack
 * that an `Error` takes down costs more than the rest of a refusal.
 */
export class RequestError {
  readonly failure: Failure;
  /** Shown to the caller as it is. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: unknown;

  constructor(failure: Failure, message: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    this.failure = failure;
    this.message = message;
    this.headers = headers;
    this.cause = cause;
  }
}
