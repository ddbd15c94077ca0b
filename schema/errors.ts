import { ERROR_CODE_ROWS, ERROR_CODES, type ErrorCode } from './words/error-codes.ts';
import { isKnown } from './words/open.ts';

// Every way a request can fail, with its HTTP status. Those that the interface gives no code are named here.

/** What a customer can meet: the interface's. */
const CUSTOMER_FAILURES = {
  ...ERROR_CODE_ROWS,
  NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  BODY_TOO_LARGE: { status: 413 },
  /** A 500 nobody foresaw. */
  UNEXPECTED: { status: 500 },
} as const;
export type CustomerFailure = keyof typeof CUSTOMER_FAILURES;

export const FAILURES = {
  ...CUSTOMER_FAILURES,
  /** Pages only: another origin's page asks, or the person's role does not allow it. */
  FORBIDDEN: { status: 403 },
  /** Operators and pages: what is there already contradicts the call. */
  CONFLICT: { status: 409 },
  /** Pages only: a mailed link that was used, has expired or never was. */
  GONE: { status: 410 },
  /** Pages only: the page shows another person or account than its session now is and looks at. */
  OTHER_VIEW: { status: 412 },
  /** Probe hosts only: a link is a WebSocket. */
  UPGRADE_REQUIRED: { status: 426 },
  /** Operators: stored, but not everywhere in the fleet yet. Pages: a service that this depends on does not answer. */
  UNAVAILABLE: { status: 503 },
} as const;
export type Failure = keyof typeof FAILURES;

/** The stable code of its body; null without one. */
export function codeOf(failure: Failure): ErrorCode | null {
  return isKnown(ERROR_CODES, failure) ? failure : null;
}

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
