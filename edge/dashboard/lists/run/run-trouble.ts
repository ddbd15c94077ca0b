import { RcptError } from '../../../../schema/client/base/errors.ts';
import { problemOf } from '../../../../schema/list-job/problems.ts';
import { Trouble, troubleOf } from '../../session/api.ts';
import { counted, credits } from '../../words/numbers.ts';

/** Whether the same may succeed later without any action. */
export function isPassing(error: unknown): boolean {
  return error instanceof RcptError && error.retryable;
}

/** Whether another tab, or another run, has the list. */
export function isInUse(error: unknown): boolean {
  return error instanceof RcptError && error.code === 'JOURNAL_IN_USE';
}

/** The status that stands for `CEILING`: the run has used up what it was allowed to cost. */
export const CEILING_STATUS = -1;

/** Why a run ended, in words for the reader of a page. */
export function troubleOfRun(error: unknown): Trouble {
  if (!(error instanceof RcptError)) return troubleOf(error);
  const { code, status } = error;
  if (code === 'NO_CREDITS') return new Trouble(wordsOf(error), 402);
  if (code === 'CEILING') return new Trouble(wordsOf(error), CEILING_STATUS);
  // Another code of that status, which a newer service has added, is not about credits.
  return new Trouble(wordsOf(error), status === 402 ? 0 : status);
}

function wordsOf(error: RcptError): string {
  const { says } = problemOf(error);
  const { code, creditsNeeded: needed } = error;
  if (code === 'NO_CREDITS' && needed !== null)
    return `${counted(needed, 'address is', 'addresses are')} still to be verified, for ${credits(needed)} at most.`;
  if (code === 'IDEMPOTENCY_LAPSED') return `${says} Resume if you accept that.`;
  const isAway = code === 'CONNECTION' || code === 'TIMEOUT' || code === 'INCOMPLETE';
  return isAway && !navigator.onLine ? 'You are offline. The results so far are kept.' : says;
}
