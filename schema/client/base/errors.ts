import { ERROR_CODE_ROWS } from '../../words/error-codes.ts';
import { isKnown, namesOf, type Open } from '../../words/open.ts';
import type { OpenResult } from '../../words/result.ts';

// Every way in which the client can fail: whether asking again helps, and what to do.

type Meaning = { readonly retryable: boolean; readonly whatToDo: string };

const MEANINGS = {
  ...ERROR_CODE_ROWS,
  // A response of the service without a code.
  BODY_TOO_LARGE: { retryable: false, whatToDo: 'One entry is larger than the service accepts: remove it.' },
  // Failures between caller and service.
  NOT_FOUND: { retryable: false, whatToDo: 'Check `baseURL`: the service is not at this address.' },
  FORBIDDEN: {
    retryable: false,
    whatToDo: 'Check proxies and firewalls on the way: one of them refuses the request. The service itself does not.',
  },
  IDEMPOTENCY_LAPSED: {
    retryable: false,
    whatToDo: 'Continue if you accept that up to that many credits may be paid a second time.',
  },
  BAD_ANSWER: {
    retryable: false,
    whatToDo: 'Check `baseURL` and any proxies: the response is not from this service.',
  },
  CONNECTION: { retryable: true, whatToDo: 'Check the network and `baseURL`, then continue.' },
  TIMEOUT: { retryable: true, whatToDo: 'Continue; keep `timeoutMs` above the 90 s that a request may take.' },
  INCOMPLETE: { retryable: true, whatToDo: 'Continue: entries without an answer are asked again.' },
  // The caller's own limits and files.
  CEILING: { retryable: false, whatToDo: 'Raise `maxCredits`, then verify what is left.' },
  LIST_CHANGED: {
    retryable: false,
    whatToDo: 'Use the list that the journal was started with, or start a new journal.',
  },
  JOURNAL_IN_USE: { retryable: false, whatToDo: 'Wait until the other run has ended, or use another journal.' },
  JOURNAL_BROKEN: {
    retryable: false,
    whatToDo: 'Free disk space and check the permissions, then continue with the same journal.',
  },
} as const satisfies Record<string, Meaning>;

export type RcptErrorCode = keyof typeof MEANINGS;
export const RCPT_ERROR_CODES = namesOf(MEANINGS);

/** Details besides the code. */
export type ErrorDetails = {
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly creditsNeeded?: number | null;
  readonly creditsLeft?: number | null;
  readonly results?: ReadonlyArray<OpenResult | null>;
  readonly cause?: unknown;
};

/** The one error of this package, besides a TypeError for options that make no sense and a signal's own reason. */
export class RcptError extends Error {
  override readonly name = 'RcptError';
  /** A code of a newer service is kept as it is. */
  readonly code: Open<RcptErrorCode>;
  /** HTTP status of the response; null without one. */
  readonly status: number | null;
  /** Identifies the request to the operator. */
  readonly requestId: string | null;
  /** NO_CREDITS, CEILING: how many credits the rest needs at most, as far as the list was read. */
  readonly creditsNeeded: number | null;
  /** NO_CREDITS: how many are left, of the account or of the cap that is named; null if the service did not say. */
  readonly creditsLeft: number | null;
  /** Of `verify`: the known results, aligned with the list. */
  readonly results: ReadonlyArray<OpenResult | null>;

  constructor(code: Open<RcptErrorCode>, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.creditsNeeded = details.creditsNeeded ?? null;
    this.creditsLeft = details.creditsLeft ?? null;
    this.results = details.results ?? [];
  }

  /** Whether the same call may succeed later. The client itself has tried `maxRetries` times. */
  get retryable(): boolean {
    return this.#meaning.retryable;
  }

  get whatToDo(): string {
    return this.#meaning.whatToDo;
  }

  /** For an unknown code, by the status. */
  get #meaning(): Meaning {
    if (isKnown(RCPT_ERROR_CODES, this.code)) return MEANINGS[this.code];
    const isForLater = this.status === 429 || (this.status ?? 0) >= 500;
    return isForLater ? MEANINGS.INTERNAL_ERROR : { retryable: false, whatToDo: 'See the message.' };
  }

  /** The same error with more details. */
  with(details: ErrorDetails): RcptError {
    const { status, requestId, creditsNeeded, creditsLeft, results, cause } = this;
    const own = { status, requestId, creditsNeeded, creditsLeft, results, cause };
    return new RcptError(this.code, this.message, { ...own, ...details });
  }
}
