import { type Complaint, COMPLAINTS } from './complaints.ts';
import type { Receiver } from './receiver.ts';

// What one process of a host has shown of what it says of mailboxes, and what follows from it: pure. Whenever two hosts
// were asked about one address, it is told here who stood alone and who agreed: `README.md`.

type Contradicted = Receiver & {
  readonly account: string;
  readonly atMs: number;
  /** Whether it was contradicted by mailboxes: resolvers that are sick alike, or one other host, put nobody out. */
  readonly firm: boolean;
  /** The processes whose word that is; nobody: it says this of nearly everybody, which shows without them. */
  readonly by: readonly string[];
};
/** What checks of one account's addresses have shown for the host, since they last showed something against it. */
type Hearing = { readonly account: string; readonly agreed: number; readonly worth: number; readonly atMs: number };

export type MailboxRecord = {
  /** Addresses of which it stood alone: the newest, each domain once. */
  readonly alone: readonly Contradicted[];
  /** When that began. */
  readonly sinceMs: number;
  readonly hearings: readonly Hearing[];
  /** Agreements since it last stood alone. */
  readonly streak: number;
};

export const NEW_MAILBOXES: MailboxRecord = { alone: [], sinceMs: 0, hearings: [], streak: 0 };

const ALONE_MAX = 64;
const HEARINGS_MAX = 128;
/** How long either speaks for it or against it. */
const LATELY_MS = 600_000;
/** Owners of domains that speak against it: from how many on other accounts doubt it too, and from how many it is out. */
const AGAINST = { others: 2, out: 5 };
/** A host is not put out before others had this long to speak for it. */
const HEARING_MS = 5_000;
/**
 * Agreements after which an account believes it again: as much as five of an answer that is given half of the time, and
 * as much again for each owner of that account's domains that spoke against it.
 */
const WORTH = 3.5;
/** The least that one agreement is worth, though everybody is said to be so. */
const WORTH_MIN = 0.35;
/** An account for which this many agreed, and none differed, speaks for it. */
const SPEAKS = 4;

/** It stood alone against others about an address. */
export function afterAlone(record: MailboxRecord, contradicted: Contradicted): MailboxRecord {
  const { account, atMs: nowMs } = contradicted;
  const others = record.alone.filter(({ domain }) => domain !== contradicted.domain);
  const alone = [...others, contradicted].slice(-ALONE_MAX);
  const sinceMs = recent(record.alone, nowMs).length === 0 ? nowMs : record.sinceMs;
  return { alone, sinceMs, hearings: record.hearings.filter((one) => one.account !== account), streak: 0 };
}

/** Whether it says one thing of nearly everybody, so that what it says against others counts no more. */
export function isDiscredited({ alone }: MailboxRecord, nowMs: number): boolean {
  return ownersOf(recent(alone, nowMs).filter(({ by }) => by.length === 0)) >= AGAINST.others;
}

/** What is nobody's word but that of processes which are discredited puts it out no more; its answers are still checked. */
export function withoutWordOf(record: MailboxRecord, isOut: (instance: string) => boolean): MailboxRecord {
  const alone = record.alone.map((one) => (one.by.length > 0 && one.by.every(isOut) ? { ...one, firm: false } : one));
  return { ...record, alone };
}

/** Another host said the same. @param worth how much that says: `AnswerShares.confirm` */
export function afterAgreement(record: MailboxRecord, account: string, worth: number, nowMs: number): MailboxRecord {
  const known = recent(record.hearings, nowMs).find((one) => one.account === account);
  const heard = {
    account,
    agreed: (known?.agreed ?? 0) + 1,
    worth: (known?.worth ?? 0) + Math.max(WORTH_MIN, worth),
    atMs: nowMs,
  };
  const others = record.hearings.filter((one) => one.account !== account);
  return { ...record, hearings: [...others, heard].slice(-HEARINGS_MAX), streak: record.streak + 1 };
}

/** Whether what it says to an account is put to another host: `own` if that account's own addresses speak against it. */
export function trialOf(record: MailboxRecord, account: string, nowMs: number): 'none' | 'own' | 'others' {
  const against = recent(record.alone, nowMs);
  if (against.length === 0) return 'none';
  const own = ownersOf(against.filter((one) => one.account === account));
  const worth = recent(record.hearings, nowMs).find((one) => one.account === account)?.worth ?? 0;
  if (worth >= WORTH * Math.max(1, own)) return 'none';
  if (own > 0) return 'own';
  return ownersOf(against) >= AGAINST.others ? 'others' : 'none';
}

/** What speaks against it, in words for an operator; null: nothing that would put it out. */
export function mailboxComplaint(record: MailboxRecord, nowMs: number): Complaint | null {
  if (record.alone.length < AGAINST.out) return null;
  const against = recent(record.alone, nowMs).filter(({ firm }) => firm);
  if (ownersOf(against) < AGAINST.out || nowMs - record.sinceMs < HEARING_MS) return null;
  const accusers = new Set(against.map(({ account }) => account));
  const speaks = ({ account, agreed }: Hearing): boolean => agreed >= SPEAKS && !accusers.has(account);
  if (recent(record.hearings, nowMs).some(speaks)) return null;
  return COMPLAINTS.standsAlone(against.length);
}

function recent<T extends { readonly atMs: number }>(facts: readonly T[], nowMs: number): readonly T[] {
  return facts.filter(({ atMs }) => nowMs - atMs <= LATELY_MS);
}

function ownersOf(facts: readonly Receiver[]): number {
  return new Set(facts.map(({ zone }) => zone)).size;
}
