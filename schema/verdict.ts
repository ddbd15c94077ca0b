import type { Reason, VerificationResult } from './api.ts';
import type { Deferral, Evidence, MadeUpFate, Outcome, SmtpReply } from './evidence.ts';

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

/** What one outcome means, before the signals are weighed. */
type Ruling = {
  readonly result: VerificationResult['result'];
  readonly status: VerificationResult['status'];
  readonly reason: Reason | null;
  readonly score: number;
  readonly conversed: boolean;
  readonly reply?: SmtpReply | null;
  readonly retryAfterS?: number | null;
};

/**
 * The verdict on one probed address.
 * @param address how the caller spelled it
 * @param evidence what a probe host saw
 * @returns every field of the interface's result
 */
export function judge(address: Judged, evidence: Evidence): VerificationResult {
  const ruling = rule(evidence.outcome);
  const { signals } = evidence;
  const uncertain = ruling.result === 'deliverable' && (signals.role || signals.disposable);
  const status = uncertain ? 'risky' : ruling.status;
  return {
    email: address.email,
    result: ruling.result,
    status,
    score: weigh(ruling.score, status, signals.role, signals.typoOf !== null, signals.disposable),
    catch_all: ruling.result === 'catch-all',
    reason: ruling.reason,
    retry_after: ruling.retryAfterS ?? null,
    smtp_code: ruling.reply?.code ?? null,
    smtp_enhanced_code: ruling.reply?.enhanced ?? null,
    syntax: true,
    mx_found: evidence.mxFound,
    smtp_check: ruling.conversed,
    disposable: signals.disposable,
    role_based: signals.role,
    free_provider: signals.free,
    did_you_mean: signals.typoOf === null ? null : `${address.local}@${signals.typoOf}`,
    mx_records: evidence.mx,
  };
}

/** The verdict on an entry that is no address. Nothing was probed and nothing is charged. */
export function judgeSyntax(email: string): VerificationResult {
  return {
    email,
    result: 'undeliverable',
    status: 'invalid',
    score: 0,
    catch_all: false,
    reason: 'invalid_syntax',
    retry_after: null,
    smtp_code: null,
    smtp_enhanced_code: null,
    syntax: false,
    mx_found: false,
    smtp_check: false,
    disposable: false,
    role_based: false,
    free_provider: false,
    did_you_mean: null,
    mx_records: [],
  };
}

/** Whether the credit of an address goes back: the probe was refused before the address was evaluated, or never made. */
export function earnsCreditBack(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'policy_rejected':
    case 'no_banner':
    case 'ehlo_rejected':
    case 'mail_from_rejected':
    case 'unprobed':
      return true;
    case 'no_mail_domain':
    case 'mx_lookup_failed':
    case 'mx_hosts_missing':
    case 'mx_private':
    case 'provider_blocks_probe':
    case 'connection_error':
    case 'timeout':
    case 'deferred':
    case 'no_smtputf8':
    case 'rcpt_deferred':
    case 'mailbox_full':
    case 'no_such_mailbox':
    case 'accepted':
    case 'protocol_error':
    case 'unexpected_code':
      return false;
  }
}

function rule(outcome: Outcome): Ruling {
  switch (outcome.kind) {
    case 'no_mail_domain':
      return invalid('no_mx', false);
    case 'mx_hosts_missing':
      return invalid('mx_unresolved', false);
    case 'mx_private':
      return invalid('mx_private_ip', false);
    case 'mx_lookup_failed':
      return unknown('mx_unresolved', false);
    case 'provider_blocks_probe':
      return { result: 'unknown', status: 'risky', reason: 'provider_blocks_probe', score: 65, conversed: false };
    case 'connection_error':
    case 'timeout':
      return unknown(outcome.kind, outcome.greeted);
    case 'no_banner':
      return unknown('no_banner', outcome.refused);
    case 'ehlo_rejected':
    case 'mail_from_rejected':
      return unknown(outcome.kind, true);
    case 'deferred':
      return { ...unknown('greylisting', true), retryAfterS: retryAfter(outcome.deferral) };
    case 'no_smtputf8':
      return invalid(null, true);
    case 'rcpt_deferred':
      return {
        ...unknown('greylisting', true, outcome.reply),
        score: outcome.reply.code === 421 ? 30 : 50,
        retryAfterS: retryAfter(outcome.deferral),
      };
    case 'policy_rejected':
      return unknown('policy_rejected', true, outcome.reply);
    case 'mailbox_full':
      return {
        result: 'deliverable',
        status: 'risky',
        reason: 'mailbox_full',
        score: 40,
        conversed: true,
        reply: outcome.reply,
        retryAfterS: retryAfter(outcome.deferral),
      };
    case 'no_such_mailbox':
      return { ...invalid(null, true), reply: outcome.reply };
    case 'accepted':
      return { ...ruleAccepted(outcome.madeUp), conversed: true, reply: outcome.reply };
    case 'protocol_error':
      return unknown('protocol_error', outcome.greeted, outcome.reply);
    case 'unexpected_code':
      return unknown('unexpected_code', true, outcome.reply);
    case 'unprobed':
      return { ...unknown('timeout', false), retryAfterS: outcome.waitS === null ? null : clampRetry(outcome.waitS) };
  }
}

function ruleAccepted(madeUp: MadeUpFate): Omit<Ruling, 'conversed'> {
  switch (madeUp.kind) {
    case 'accepted':
      return { result: 'catch-all', status: 'risky', reason: 'accept_all', score: 55 };
    case 'refused':
      return { result: 'deliverable', status: 'valid', reason: null, score: 95 };
    case 'not_learnt':
      return {
        result: 'deliverable',
        status: 'risky',
        reason: madeUp.why,
        score: 70,
        retryAfterS: retryAfter(madeUp.deferral),
      };
  }
}

function invalid(reason: Reason | null, conversed: boolean): Ruling {
  return { result: 'undeliverable', status: 'invalid', reason, score: 0, conversed };
}

function unknown(reason: Reason, conversed: boolean, reply: SmtpReply | null = null): Ruling {
  return { result: 'unknown', status: 'unknown', reason, score: 30, conversed, reply };
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

function retryAfter(deferral: Deferral | null): number | null {
  if (deferral === null) return null;
  return clampRetry(deferral.askedS ?? RETRY_DEFAULT_S[deferral.cause]);
}

function clampRetry(seconds: number): number {
  return Math.min(RETRY_MAX_S, Math.max(RETRY_MIN_S, seconds));
}
