import type { VerificationResult } from './words/result.ts';
import type { Deferral, Evidence, MadeUpFate, Outcome } from './evidence.ts';
import { suggestion } from './suggestion.ts';
import { isUnprobed, verdictOf, wasGreeted } from './outcomes.ts';

// Evidence in, verdict out. Pure: the same evidence gives the same verdict, and the score needs nothing but the
// fields of the same result.

const RETRY_MIN_S = 60;
const RETRY_MAX_S = 86_400;
const RETRY_DEFAULT_S = { greylisting: 300, busy: 900, full: 3600 } as const satisfies Record<
  Deferral['cause'],
  number
>;

const ROLE_PENALTY = 20;
const TYPO_PENALTY = 15;
const DISPOSABLE_CAP = 15;

/** The address as the caller wrote it (trimmed, lower-cased) and its local part, for `did_you_mean`. */
export type Judged = { readonly email: string; readonly local: string };

/**
 * The verdict on one probed address.
 * @param address how the caller spelled it
 * @param evidence what a probe host saw
 * @returns every field of the interface's result
 */
export function judge(address: Judged, evidence: Evidence): VerificationResult {
  const { signals, outcome } = evidence;
  const verdict = verdictOf(outcome);
  const reply = 'reply' in outcome ? outcome.reply : null;
  const uncertain = verdict.result === 'deliverable' && (signals.role || signals.disposable);
  const status = uncertain ? 'risky' : verdict.status;
  return {
    email: address.email,
    result: verdict.result,
    status,
    score: weigh(verdict.score, status, signals.role, signals.typoOf !== null, signals.disposable),
    catch_all: verdict.result === 'catch-all',
    reason: verdict.reason,
    retry_after: retryAfter(outcome),
    smtp_code: reply?.code ?? null,
    smtp_enhanced_code: reply?.enhanced ?? null,
    syntax: true,
    mx_found: evidence.mxFound,
    smtp_check: wasGreeted(outcome),
    disposable: signals.disposable,
    role_based: signals.role,
    free_provider: signals.free,
    did_you_mean: signals.typoOf === null ? null : suggestion(`${address.local}@${signals.typoOf}`),
    mx_records: evidence.mx,
  };
}

/** When to ask again: after a temporary refusal by the server, or if nobody was asked. Null: there is no point. */
function retryAfter(outcome: Outcome): number | null {
  if (isUnprobed(outcome)) return clampRetry(outcome.waitS ?? RETRY_MIN_S);
  const deferral = 'madeUp' in outcome ? deferralOf(outcome.madeUp) : deferralOf(outcome);
  return deferral === null ? null : clampRetry(deferral.askedS ?? RETRY_DEFAULT_S[deferral.cause]);
}

function deferralOf(what: Outcome | MadeUpFate): Deferral | null {
  return 'deferral' in what ? what.deferral : null;
}

function weigh(
  base: number,
  status: VerificationResult['status'],
  role: boolean,
  typo: boolean,
  disposable: boolean,
): number {
  if (status === 'invalid') return 0;
  const penalised = base - (role ? ROLE_PENALTY : 0) - (typo ? TYPO_PENALTY : 0);
  return Math.max(1, disposable ? Math.min(penalised, DISPOSABLE_CAP) : penalised);
}

function clampRetry(seconds: number): number {
  return Math.min(RETRY_MAX_S, Math.max(RETRY_MIN_S, seconds));
}
