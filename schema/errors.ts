// Every way a request can fail, with its HTTP status and the stable code of its body. `code` null: the interface gives
// that answer no code (404, 405, 413, and a 500 nobody foresaw).

/** What a customer can meet: the interface's. */
const CUSTOMER_FAILURES = {
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
export type CustomerFailure = keyof typeof CUSTOMER_FAILURES;

export const FAILURES = {
  ...CUSTOMER_FAILURES,
  /** Pages only: another origin's page asks, or the person's role does not allow it. */
  FORBIDDEN: { status: 403, code: null },
  /** Operators and pages: what is there already contradicts the call. */
  CONFLICT: { status: 409, code: null },
  /** Pages only: a mailed link that was used, has expired or never was. */
  GONE: { status: 410, code: null },
  /** Pages only: the page shows another person or account than its session now is and looks at. */
  OTHER_VIEW: { status: 412, code: null },
  /** Probe hosts only: a link is a WebSocket. */
  UPGRADE_REQUIRED: { status: 426, code: null },
  /** Operators: stored, but part of the fleet has not heard of it. Pages: who must be asked for this does not answer. */
  UNAVAILABLE: { status: 503, code: null },
} as const;
export type Failure = keyof typeof FAILURES;

declare global {
  interface ErrorConstructor {
    /** Of V8: how many frames an error notes down when it is made. */
    stackTraceLimit: number;
  }
}

/**
 * A request that ends in an answer of the interface's error form: foreseen, and thrown by every step that refuses one.
 * It has no stack, because to note one down costs more than the rest of a refusal.
 */
export class RequestError extends Error {
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message shown to the caller as it is */
  constructor(failure: Failure, message: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'RequestError';
    this.failure = failure;
    this.headers = headers;
  }
}
