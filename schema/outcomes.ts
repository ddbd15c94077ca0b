import { type Reason, REASON_ROWS } from './words/reasons.ts';
import type { VerificationResult } from './words/result.ts';
import type { Evidence, MadeUpFate, Outcome } from './evidence.ts';

// What each kind of outcome means to everyone who asks: one row for each. What depends on more than the kind is a
// function below the table.

type Row = Pick<VerificationResult, 'result' | 'status' | 'score'> & {
  readonly reason: Reason | null;
  /** A mail server talked to us. Null: the outcome itself says so, in `greeted` or `refused`. */
  readonly smtpCheck: boolean | null;
  /** How far the search for this recipient got. The numbers give an order and nothing else; `VERDICT` ends the search. */
  readonly rank: number;
  /** The server turned the prober away before it looked at the mailbox: another egress address may be welcome. */
  readonly turnedAway: boolean;
  /** It was for our envelope sender: every domain there would hear the same. */
  readonly refusesSender: boolean;
  /** A host without a working resolver or a way out would say the same of every address. */
  readonly doubtful: boolean;
  /** Learnt from DNS alone. */
  readonly fromDns: boolean;
  /** What every working host must find; null: it depends on who asks, or when. See `claimOf`. */
  readonly claim: Claim | null;
  /** The server refuses for now (4xx), for whatever reason: a pause may be all it wants. */
  readonly defers: boolean;
  /** The first digit that its reply must have; null: any, or there is none. */
  readonly digit: 2 | 4 | 5 | null;
  /** The edge's own word: no host reports it. */
  readonly byEdge: boolean;
  /** When this ended the asking about the made-up mailbox: why its fate is not known. */
  readonly notLearnt: Extract<MadeUpFate, { kind: 'not_learnt' }>['why'];
};

/** A failed look-up is no claim, and still no accident if it is always the same host's. */
export type Claim = 'accepts' | 'catch_all' | 'refuses' | 'denies' | 'fails';

const VERDICT = 20;
const LOST_AFTER_GREETING = 5;

/** A row says what differs from these. */
const PLAIN = {
  smtpCheck: true,
  turnedAway: false,
  refusesSender: false,
  doubtful: false,
  fromDns: false,
  claim: null,
  defers: false,
  digit: null,
  byEdge: false,
  notLearnt: 'unexpected_code',
} as const;
const UNKNOWN = { ...PLAIN, result: 'unknown', status: 'unknown', score: 30 } as const;
const INVALID = { ...PLAIN, result: 'undeliverable', status: 'invalid', score: 0, rank: VERDICT } as const;
const FROM_DNS = { smtpCheck: false, fromDns: true } as const;
const DENIED = { ...INVALID, ...FROM_DNS, claim: 'denies', doubtful: true } as const;
const TURNED_AWAY = { ...UNKNOWN, turnedAway: true, notLearnt: 'policy_rejected' } as const;
const DEFERRED = { ...UNKNOWN, defers: true, reason: 'greylisting', notLearnt: 'greylisting' } as const;

export const OUTCOMES = {
  // About the domain, from DNS alone.
  no_mail_domain: { ...DENIED, reason: 'no_mx' },
  mx_lookup_failed: { ...UNKNOWN, rank: 2, reason: 'mx_unresolved', smtpCheck: false, claim: 'fails', doubtful: true },
  mx_hosts_missing: { ...DENIED, reason: 'mx_unresolved' },
  mx_private: { ...DENIED, rank: 1, reason: 'mx_private_ip' },
  provider_blocks_probe: {
    ...UNKNOWN,
    ...FROM_DNS,
    rank: VERDICT,
    status: 'risky',
    score: 65,
    reason: 'provider_blocks_probe',
  },
  // About the servers, before the mailbox could be asked about.
  connection_error: {
    ...UNKNOWN,
    rank: 3,
    reason: 'connection_error',
    smtpCheck: null,
    doubtful: true,
    notLearnt: 'connection_error',
  },
  timeout: { ...UNKNOWN, rank: 4, reason: 'timeout', smtpCheck: null, doubtful: true, notLearnt: 'timeout' },
  no_banner: { ...TURNED_AWAY, rank: 6, reason: 'no_banner', smtpCheck: null },
  ehlo_rejected: { ...TURNED_AWAY, rank: 7, reason: 'ehlo_rejected' },
  mail_from_rejected: { ...TURNED_AWAY, rank: 8, reason: 'mail_from_rejected', refusesSender: true },
  deferred: { ...DEFERRED, rank: 9 },
  no_smtputf8: { ...INVALID, reason: null },
  // About the reply to RCPT.
  rcpt_deferred: { ...DEFERRED, rank: 12, score: 50, digit: 4 },
  policy_rejected: { ...TURNED_AWAY, rank: 11, reason: 'policy_rejected' },
  mailbox_full: { ...PLAIN, rank: VERDICT, result: 'deliverable', status: 'risky', score: 40, reason: 'mailbox_full' },
  no_such_mailbox: { ...INVALID, reason: null, claim: 'refuses', digit: 5 },
  // With the made-up mailbox refused; see `verdictOf`.
  accepted: {
    ...PLAIN,
    rank: VERDICT,
    result: 'deliverable',
    status: 'valid',
    score: 95,
    reason: null,
    claim: 'accepts',
    digit: 2,
  },
  // Replies that explain nothing.
  protocol_error: { ...UNKNOWN, rank: 10, reason: 'protocol_error', smtpCheck: null, notLearnt: 'protocol_error' },
  unexpected_code: { ...UNKNOWN, rank: 10, reason: 'unexpected_code' },
  // No command named the address, and nothing is known of its domain.
  unprobed: { ...UNKNOWN, rank: 0, reason: 'timeout', smtpCheck: false, notLearnt: 'timeout' },
  // Nobody was asked, and nobody is to be: another host would not dial either.
  opted_out: { ...UNKNOWN, rank: VERDICT, reason: 'policy_rejected', smtpCheck: false, byEdge: true },
} as const satisfies Record<Outcome['kind'], Row>;

/**
 * How far a piece of evidence got. The first verdict on a recipient ends its search; until then the evidence that got
 * furthest counts, no matter which MX host or address gave it.
 * @returns higher for evidence that got further; a verdict is above all, `unprobed` below all
 */
export function rank(outcome: Outcome): number {
  const lost = outcome.kind === 'connection_error' && outcome.greeted;
  return lost ? LOST_AFTER_GREETING : OUTCOMES[outcome.kind].rank;
}

/** Whether it is a verdict on the recipient, so that nobody else need be asked. */
export function isVerdict(outcome: Outcome): boolean {
  return rank(outcome) === VERDICT;
}

/**
 * Which of two hosts' evidence about one address counts: the one that got furthest. A result from DNS alone is final for
 * its own host, but ranks below a server that another host talked to.
 * @returns as `rank`, with all that came from DNS just above `unprobed`
 */
export function rankAcrossHosts(outcome: Outcome): number {
  return OUTCOMES[outcome.kind].fromDns ? OUTCOMES.mx_private.rank : rank(outcome);
}

/** Whether a host that cannot work would say the same. An address literal is never looked up. */
export function isDoubtful(outcome: Outcome): boolean {
  if (outcome.kind === 'no_mail_domain') return outcome.why !== 'address_literal';
  return OUTCOMES[outcome.kind].doubtful;
}

/**
 * Whether a resolver that invents addresses could have caused it: a server that greeted at the domain's own address
 * (implicit MX, RFC 5321 §5.1), where an honest resolver may know of no such domain.
 */
export function isByImplicitMx({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>): boolean {
  return mx.length === 0 && wasGreeted(outcome);
}

/** Whether a resolver alone said so. Whether an implicit MX greets shows only to who dials it. */
export function needsNoWayOut(outcome: Outcome): boolean {
  if (outcome.kind === 'no_mail_domain') return outcome.why !== 'implicit_mx_silent';
  return OUTCOMES[outcome.kind].fromDns || outcome.kind === 'mx_lookup_failed';
}

/** Whether the server turned the prober away: for good, or at RCPT for now (4.7.x, RFC 3463 §3.8; greylisting is no such word). */
export function isTurnedAway(outcome: Outcome): boolean {
  if (outcome.kind !== 'rcpt_deferred') return OUTCOMES[outcome.kind].turnedAway;
  return outcome.deferral.cause === 'busy' && outcome.reply.enhanced?.startsWith('4.7.') === true;
}

/** Whether a server refused the prober by 5xx before RCPT, as it would for any recipient. */
export function refusesUs(outcome: Outcome): boolean {
  return OUTCOMES[outcome.kind].turnedAway && outcome.kind !== 'policy_rejected' && wasGreeted(outcome);
}

type OfKind<Kind extends Outcome['kind'], Any extends { readonly kind: string }> = Extract<
  Any,
  { readonly kind: Kind }
>;

/** Whether no command named the address, and nothing is known of its domain. */
export function isUnprobed(outcome: Outcome): outcome is OfKind<'unprobed', Outcome> {
  return outcome.kind === 'unprobed';
}

/** Whether the host leaves the receiver alone for now. */
export function isRest(outcome: Outcome): boolean {
  return isUnprobed(outcome) && outcome.why === 'cooldown';
}

/** Whether a fault of ours kept us from learning anything. That a receiver must be left alone for now is none. */
export function isOurFault(outcome: Outcome): boolean {
  return isUnprobed(outcome) && outcome.why !== 'cooldown';
}

/** Whether the server refused the mailbox itself for good. */
export function refusesMailbox<Any extends { readonly kind: string }>(
  outcome: Any,
): outcome is OfKind<'no_such_mailbox', Any> {
  return outcome.kind === 'no_such_mailbox';
}

/** What every working host must find. Null: it depends on who asks, or when, so hosts cannot be compared by it. */
export function claimOf(outcome: Outcome): Claim | null {
  if (outcome.kind === 'accepted') return CLAIMS_ACCEPTED[outcome.madeUp.kind];
  // An implicit MX that is silent to one host may not be to others. An address literal is never looked up.
  if (outcome.kind === 'no_mail_domain' && !(isDoubtful(outcome) && needsNoWayOut(outcome))) return null;
  return OUTCOMES[outcome.kind].claim;
}

const CLAIMS_ACCEPTED: Readonly<Record<MadeUpFate['kind'], Claim | null>> = {
  accepted: 'catch_all',
  refused: 'accepts',
  provider_accepts_all: null,
  not_learnt: null,
};

/** Whether the credit goes back: as the row of the reason says, or because nothing was probed. */
export function isRefunded({ kind }: Pick<Outcome, 'kind'>): boolean {
  const { result, reason } = OUTCOMES[kind];
  if (kind === 'unprobed') return true;
  return result === 'unknown' && reason !== null && REASON_ROWS[reason].credit === 'returned';
}

/** Whether a mail server replied at all. */
export function wasGreeted(outcome: Outcome): boolean {
  if ('greeted' in outcome) return outcome.greeted;
  if ('refused' in outcome) return outcome.refused;
  return OUTCOMES[outcome.kind].smtpCheck;
}

/** Why the made-up mailbox's fate is not known when this ended the asking: a server that refuses to greet refuses us. */
export function whyNotLearnt(outcome: Outcome): Row['notLearnt'] {
  if (outcome.kind === 'no_banner' && !outcome.refused) return 'connection_error';
  return OUTCOMES[outcome.kind].notLearnt;
}

/** Result, status, score and reason of the verdict, before the signals are weighed. */
export function verdictOf(outcome: Outcome): Pick<Row, 'result' | 'status' | 'score' | 'reason'> {
  const { result, status, score, reason } = OUTCOMES[outcome.kind];
  const verdict = { result, status, score, reason };
  if (outcome.kind === 'rcpt_deferred' && outcome.reply.code === 421) return { ...verdict, score: UNKNOWN.score };
  if (outcome.kind !== 'accepted') return verdict;
  switch (outcome.madeUp.kind) {
    case 'refused':
      return verdict;
    case 'accepted':
    case 'provider_accepts_all':
      return { result: 'catch-all', status: 'risky', score: 55, reason: 'accept_all' };
    case 'not_learnt':
      return { ...verdict, status: 'risky', score: 70, reason: outcome.madeUp.why };
  }
}
