import { type Breaker, afterFailure, CLOSED } from './circuit-breaker.ts';
import { type Complaint, COMPLAINTS } from './complaints.ts';
import { type Fading, faded, more, oneMore } from './fading.ts';
import { type MailboxRecord, mailboxComplaint, NEW_MAILBOXES } from './mailbox-record.ts';
import type { Receiver } from './receiver.ts';
import { afterDenied, afterFound, NEW_RESOLVER, resolverComplaint, type ResolverRecord } from './resolver-record.ts';

// What one process of a host has shown, and what follows from it: pure. Hosts are compared over the same receivers:
// what counts against one is that another reached what it could not. Dead domains count against nobody.

/**
 * How far evidence is believed that a host without a resolver or a way out would give as well.
 * `trusted`: its canaries pass, and its peers do not contradict it: at once.
 * `proven`: it has no canaries, but has reached a mail server lately: if other hosts confirm a part of it.
 * `unproven`: neither, or its peers contradict it: not at all.
 */
export type Trust = 'trusted' | 'proven' | 'unproven';

/** Another host reached a receiver that this one said it could not reach. */
type Contradiction = {
  readonly atMs: number;
  /** It did not look for the server: its resolver denied the domain. */
  readonly denied: boolean;
  /** A number made of the receiver's name: equal for equal ones, and all that is kept of it. */
  readonly receiver: number;
  /** Whose address it was. */
  readonly account: string;
};

/** A receiver, and whose address there was asked about. */
export type AskedOf = Receiver & { readonly account: string };

export type HostRecord = {
  /** Its canaries pass. */
  readonly checked: boolean;
  /** What it says itself is wrong with it; null: nothing. */
  readonly says: Complaint | null;
  /** When a mail server last talked to it; -Infinity: never. */
  readonly reachedAtMs: number;
  /** How often one did, as it fades: half of it is gone after `FADES_MS`. */
  readonly reached: Fading;
  /** The newest `CONTRADICTIONS_MAX`, each receiver once. */
  readonly contradictions: readonly Contradiction[];
  readonly sickness: Breaker;
  readonly refusals: Breaker & { readonly why: string };
  /** It left a job unanswered, and is avoided until then unless it answers one before. */
  readonly deafUntilMs: number;
  /** Jobs that it was given, as they fade. */
  readonly assigned: Fading;
  readonly assignedAddresses: Fading;
  /** Those of the jobs about addresses that no other host had said anything of: what is asked twice is mostly dead, and proves nobody. */
  readonly chances: Fading;
  readonly resolver: ResolverRecord;
  readonly mailboxes: MailboxRecord;
};

/** Reaching a mail server proves nothing about a host after this time. */
const LATELY_MS = 600_000;
const CONTRADICTIONS_MAX = 64;
/** Contradictions that count from one account: the owner of a domain decides which hosts it answers. */
const PER_ACCOUNT_MAX = 8;
/** Receivers since it last reached anybody: without canaries, and for one that never reached anybody. */
const SICK_IN_A_ROW = { checked: 5, unchecked: 3, never: 1 };
/** In all, and more than it reached. */
const SICK_IN_ALL = 15;
/** What one or two accounts say makes a host sick only if nothing else speaks for it. */
const ACCOUNTS_MIN = 3;
/** What one account alone holds against a resolver, whose names may be its own, is told to no operator. */
const TOLD_ACCOUNTS_MIN = 2;
/** After this many refusals in a row a host is not merely busy. */
const REFUSALS_SICK = 3;
const DEAF_MS = 30_000;
const FADES_MS = 10_000;
const REACHED_FADES_MS = 300_000;

export const NEW_RECORD: HostRecord = {
  checked: false,
  says: null,
  reachedAtMs: -Infinity,
  reached: { value: 0, atMs: 0 },
  contradictions: [],
  sickness: CLOSED,
  refusals: { ...CLOSED, why: '' },
  deafUntilMs: -Infinity,
  assigned: { value: 0, atMs: 0 },
  assignedAddresses: { value: 0, atMs: 0 },
  chances: { value: 0, atMs: 0 },
  resolver: NEW_RESOLVER,
  mailboxes: NEW_MAILBOXES,
};

/**
 * A mail server talked to it.
 * @param found whose name its resolver found for that; null: a name that says nothing of a resolver
 */
export function afterReach(record: HostRecord, found: AskedOf | null, nowMs: number): HostRecord {
  const reached = oneMore(record.reached, nowMs, REACHED_FADES_MS);
  const resolver = found === null ? record.resolver : afterFound(record.resolver, found, found.account, nowMs);
  const after = { ...record, reachedAtMs: nowMs, reached, resolver };
  return complaint(after, nowMs) === null ? { ...after, sickness: CLOSED } : after;
}

/** Another host reached a receiver that it could not. */
export function afterContradiction(record: HostRecord, asked: AskedOf, denied: boolean, nowMs: number): HostRecord {
  const { domain: receiver, account } = asked;
  const others = record.contradictions.filter((one) => one.receiver !== receiver);
  const contradictions = [...others, { receiver, account, denied, atMs: nowMs }].slice(-CONTRADICTIONS_MAX);
  const resolver = denied ? afterDenied(record.resolver, asked, account, nowMs) : record.resolver;
  const after = { ...record, contradictions, resolver };
  return peersComplaint(after, nowMs) === null ? after : { ...after, sickness: afterFailure(after.sickness, nowMs) };
}

/** Other hosts were asked about a mailbox too. It may be out now, or no longer. */
export function withMailboxes(record: HostRecord, mailboxes: MailboxRecord, nowMs: number): HostRecord {
  const after = { ...record, mailboxes };
  if (mailboxComplaint(mailboxes, nowMs) !== null) return { ...after, sickness: afterFailure(after.sickness, nowMs) };
  return complaint(after, nowMs) === null ? { ...after, sickness: CLOSED } : after;
}

/** It would not take a job. */
export function afterRefusal(record: HostRecord, why: string, nowMs: number): HostRecord {
  return { ...record, refusals: { ...afterFailure(record.refusals, nowMs), why }, deafUntilMs: -Infinity };
}

/** It took one. */
export function afterAcceptance(record: HostRecord): HostRecord {
  return { ...record, refusals: NEW_RECORD.refusals, deafUntilMs: -Infinity };
}

/** It left one unanswered. */
export function afterSilence(record: HostRecord, nowMs: number): HostRecord {
  return { ...record, deafUntilMs: nowMs + DEAF_MS };
}

export function afterAssignment(record: HostRecord, addresses: number, isFirst: boolean, nowMs: number): HostRecord {
  return {
    ...record,
    chances: isFirst ? oneMore(record.chances, nowMs, FADES_MS) : record.chances,
    assigned: oneMore(record.assigned, nowMs, FADES_MS),
    assignedAddresses: more(record.assignedAddresses, addresses, nowMs, FADES_MS),
  };
}

export function trustOf(record: HostRecord, nowMs: number): Trust {
  if (peersComplaint(record, nowMs) !== null) return 'unproven';
  if (record.checked) return 'trusted';
  return nowMs - record.reachedAtMs <= LATELY_MS ? 'proven' : 'unproven';
}

/** Whether it is left alone for now, unless nobody else is there. */
export function isAvoided({ sickness, refusals, deafUntilMs }: HostRecord, nowMs: number): boolean {
  return nowMs < Math.max(sickness.openUntilMs, refusals.openUntilMs, deafUntilMs);
}

type Given = { readonly assigned: number; readonly assignedAddresses: number; readonly chances: number };

/** Jobs that it was given lately, and their addresses. */
export function assignedLately(record: HostRecord, nowMs: number): Given {
  return {
    assigned: faded(record.assigned, nowMs, FADES_MS),
    assignedAddresses: faded(record.assignedAddresses, nowMs, FADES_MS),
    chances: faded(record.chances, nowMs, FADES_MS),
  };
}

/** What an operator is told of it; null: nothing. */
export function told(record: HostRecord, nowMs: number): Complaint | null {
  return complaint(record, nowMs, TOLD_ACCOUNTS_MIN);
}

/** Why it is not healthy, in words for an operator; null: nothing is known against it. */
export function complaint(record: HostRecord, nowMs: number, accountsMin = 1): Complaint | null {
  if (record.says !== null) return record.says;
  const { failures, why } = record.refusals;
  if (failures >= REFUSALS_SICK) return COMPLAINTS.refuses(why);
  return peersComplaint(record, nowMs, accountsMin);
}

function peersComplaint(record: HostRecord, nowMs: number, accountsMin = 1): Complaint | null {
  const { checked } = record;
  // Of a host with canaries, what its resolver denied is judged apart.
  const counted = record.contradictions.filter(({ atMs, denied }) => nowMs - atMs <= LATELY_MS && !(checked && denied));
  const fresh = limitEach(counted);
  const inARow = fresh.filter(({ atMs }) => atMs > record.reachedAtMs);
  const hope = checked ? 'checked' : record.reachedAtMs > -Infinity ? 'unchecked' : 'never';
  if (inARow.length >= SICK_IN_A_ROW[hope] && (!checked || accounts(inARow) >= ACCOUNTS_MIN))
    return COMPLAINTS.reachedNone(inARow.length);
  const stands = fresh.length > faded(record.reached, nowMs, REACHED_FADES_MS);
  if (fresh.length >= SICK_IN_ALL && accounts(fresh) >= ACCOUNTS_MIN && stands) return COMPLAINTS.missed(fresh.length);
  return resolverComplaint(record.resolver, nowMs, accountsMin) ?? mailboxComplaint(record.mailboxes, nowMs);
}

/** The newest of each account. */
function limitEach(contradictions: readonly Contradiction[]): readonly Contradiction[] {
  const counts = new Map<string, number>();
  return contradictions.toReversed().filter(({ account }) => {
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    return count <= PER_ACCOUNT_MAX;
  });
}

function accounts(contradictions: readonly Contradiction[]): number {
  return new Set(contradictions.map(({ account }) => account)).size;
}
