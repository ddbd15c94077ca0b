import type { RcptErrorCode } from '../../../schema/client/index.ts';
import type { Open } from '../../../schema/words/open.ts';
import { counted, credits } from '../words/numbers.ts';
import { Trouble, troubleOf } from './api.ts';

/** What the client says of a run that ended early; recognized by its shape, so that the client need not be loaded for it. */
type Ended = {
  readonly code: Open<RcptErrorCode>;
  readonly message: string;
  readonly status: number | null;
  readonly creditsNeeded: number | null;
  readonly retryable: boolean;
};

function isEnded(error: unknown): error is Ended {
  return error instanceof Error && error.name === 'RcptError' && 'code' in error && 'creditsNeeded' in error;
}

/** Whether the same may succeed later without any action. */
export function isPassing(error: unknown): boolean {
  return isEnded(error) && error.retryable;
}

/** Whether another tab, or another run, has the list. */
export function isInUse(error: unknown): boolean {
  return isEnded(error) && error.code === 'JOURNAL_IN_USE';
}

/** The status that stands for `CEILING`: the run has used up what it was allowed to cost. */
export const CEILING_STATUS = -1;

/** Why a run of the client ended, in words for the reader of a page. */
export function troubleOfRun(error: unknown): Trouble {
  return isEnded(error) ? new Trouble(wordsOf(error), statusOf(error)) : troubleOf(error);
}

function statusOf({ code, status }: Ended): number | null {
  if (code === 'NO_CREDITS') return 402;
  if (code === 'CEILING') return CEILING_STATUS;
  // Another code of that status, which a newer service has added, is not about credits.
  return status === 402 ? 0 : status;
}

function wordsOf({ code, message, creditsNeeded }: Ended): string {
  switch (code) {
    case 'NO_CREDITS':
      return needs(creditsNeeded);
    case 'CEILING':
      return 'The connection broke before the cost of some requests was known, so the agreed price may already be used up.';
    case 'UNAUTHORIZED':
      return 'You were signed out. Sign in again to resume: the results so far are kept.';
    case 'RATE_LIMITED':
      return 'The service is busy, or your account verifies in too many places at once. Please try again in a minute.';
    case 'CONNECTION':
    case 'TIMEOUT':
    case 'INCOMPLETE':
      return navigator.onLine
        ? 'The service cannot be reached right now. The results so far are kept.'
        : 'You are offline. The results so far are kept.';
    case 'FORBIDDEN':
      return 'Your network blocks the service: a proxy or firewall on the way refused the request.';
    case 'JOURNAL_IN_USE':
      return 'This list is being verified in another tab.';
    case 'JOURNAL_BROKEN':
      return 'The browser could not keep the results: its storage may be full, or closed to this site. What it has kept is safe.';
    case 'LIST_CHANGED':
      return 'This is not the file that the list was started with.';
    case 'INTERNAL_ERROR':
      return 'The service cannot verify right now. What it did not answer costs nothing. Please try again in a minute.';
    case 'INVALID_INPUT':
    case 'TOO_MANY':
    case 'MISSING_EMAIL':
    case 'BODY_TOO_LARGE':
    case 'NOT_FOUND':
    case 'IDEMPOTENCY_IN_PROGRESS':
    case 'BAD_ANSWER':
    case 'IDEMPOTENCY_MISMATCH':
    case 'IDEMPOTENCY_EXHAUSTED':
      return 'The service did not answer as it should. Please try again in a minute.';
    case 'IDEMPOTENCY_LAPSED':
      return `${message} Resume if you accept that.`;
    default:
      // Of a newer service, whose own message is shown.
      return message;
  }
}

function needs(creditsNeeded: number | null): string {
  return creditsNeeded === null
    ? 'The rest needs more credits.'
    : `${counted(creditsNeeded, 'address is', 'addresses are')} still to be verified, for ${credits(creditsNeeded)} at most.`;
}
