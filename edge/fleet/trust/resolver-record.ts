import { type Complaint, COMPLAINTS } from './complaints.ts';
import { type Fading, faded } from './fading.ts';
import type { Receiver } from './receiver.ts';

// What one process of a host has shown of its resolver, and what follows from it: pure. A resolver that denies
// everything is right about every name that does not exist. So nothing but names that it found speaks for it, and nothing
// but names that it denied and another host found, and whose server talked, against it: `README.md`.

type Fact = Receiver & { readonly atMs: number };

export type ResolverRecord = {
  /** Domains whose servers talked to the host: the newest, each once. */
  readonly found: readonly Fact[];
  /** Domains that it denied and another host found: the newest, each once. */
  readonly denied: readonly (Fact & { readonly account: string })[];
  /** Accounts for which it found something, the latest at the end. */
  readonly backers: readonly { readonly account: string; readonly atMs: number }[];
  /** When it last found something for an account that had nothing against it: earlier denials do not put it out. */
  readonly clearedAtMs: number;
  /** Denials that it may still be believed by its own word. */
  readonly credit: Fading;
  readonly vouched: number;
};

export const NEW_RESOLVER: ResolverRecord = {
  found: [],
  denied: [],
  backers: [],
  clearedAtMs: -Infinity,
  credit: { value: 0, atMs: 0 },
  vouched: 0,
};

const FOUND_MAX = 32;
const DENIED_MAX = 64;
/** Of one account, so that those of three stand beside each other. */
const DENIED_PER_ACCOUNT_MAX = 20;
const BACKERS_MAX = 128;
/** How long what it found speaks for it. */
const FOUND_MS = 60_000;
/** How long what it denied speaks against it. */
const DENIED_MS = 600_000;
/** A host that begins to lie is believed about at most this many addresses. */
const CREDIT_MAX = 10;
const CREDIT_FADES_MS = 300_000;
/** One denial in this many is put to another host although the host vouches for it. */
const CHECKED_EVERY = 4;
/** Owners of domains that it denied: from how many on its word alone counts for nothing, and from how many it is out. */
const DENIED = { vouches: 2, out: 5 };
/** This many further domains of an owner that was counted count as one more owner. */
const SAME_ZONE = 4;
/** The same found again within this time changes nothing. */
const SAME_FOR_MS = 1_000;

/** A mail server of this domain talked to it. */
export function afterFound(record: ResolverRecord, receiver: Receiver, account: string, nowMs: number): ResolverRecord {
  const known = record.found.find(({ domain }) => domain === receiver.domain);
  const backer = record.backers.find((one) => one.account === account);
  if (known !== undefined && backer !== undefined && nowMs - Math.min(known.atMs, backer.atMs) < SAME_FOR_MS)
    return record;
  const isNew = !record.found.some(({ zone }) => zone === receiver.zone);
  const value = Math.min(CREDIT_MAX, faded(record.credit, nowMs, CREDIT_FADES_MS) + Number(isNew));
  return {
    ...record,
    found: [...record.found.filter((one) => one !== known), { ...receiver, atMs: nowMs }].slice(-FOUND_MAX),
    clearedAtMs: accusersOf(record, nowMs).has(account) ? record.clearedAtMs : nowMs,
    backers: [...record.backers.filter((one) => one !== backer), { account, atMs: nowMs }].slice(-BACKERS_MAX),
    credit: { value, atMs: nowMs },
  };
}

/** It denied a domain whose server talked to another host. */
export function afterDenied(
  record: ResolverRecord,
  receiver: Receiver,
  account: string,
  nowMs: number,
): ResolverRecord {
  const others = record.denied.filter(({ domain }) => domain !== receiver.domain);
  const own = others.filter((one) => one.account === account);
  const kept = own.length < DENIED_PER_ACCOUNT_MAX ? others : others.filter((one) => one !== own[0]);
  const denied = [...kept, { ...receiver, account, atMs: nowMs }].slice(-DENIED_MAX);
  return { ...record, denied, credit: { value: 0, atMs: nowMs } };
}

/** Whether it has found others since a denial of it was last contradicted: its word counts where another differs. */
export function isWitness({ credit }: ResolverRecord, nowMs: number): boolean {
  return faded(credit, nowMs, CREDIT_FADES_MS) >= 1;
}

/** It was such a witness. */
export function afterWitness(record: ResolverRecord, nowMs: number): ResolverRecord {
  return { ...record, credit: { value: Math.max(0, faded(record.credit, nowMs, CREDIT_FADES_MS) - 1), atMs: nowMs } };
}

/** Whether a denial of it is believed by its own word. */
export function mayVouch(record: ResolverRecord, nowMs: number): boolean {
  return isWitness(record, nowMs) && weightOf(recent(record.denied, nowMs, DENIED_MS)) < DENIED.vouches;
}

/** One denial is to be believed. @returns the record after it, and whether it is */
export function afterVouching(record: ResolverRecord, nowMs: number): readonly [ResolverRecord, boolean] {
  if (!mayVouch(record, nowMs)) return [record, false];
  const vouched = record.vouched + 1;
  return [{ ...afterWitness(record, nowMs), vouched }, vouched % CHECKED_EVERY !== 0];
}

/**
 * What speaks against its resolver, in words for an operator; null: nothing that would put it out.
 * @param accountsMin accounts and, of each, owners of domains that must agree: one alone may answer each host as it likes
 */
export function resolverComplaint(record: ResolverRecord, nowMs: number, accountsMin = 1): Complaint | null {
  if (record.denied.length < DENIED.out) return null;
  const denied = recent(record.denied, nowMs, DENIED_MS).filter(({ atMs }) => atMs > record.clearedAtMs);
  const against = weightOf(denied);
  if (against < DENIED.out || against < weightOf(recent(record.found, nowMs, FOUND_MS))) return null;
  const agree = (by: 'account' | 'zone'): number => new Set(denied.map((one) => one[by])).size;
  if (Math.min(agree('account'), agree('zone')) < accountsMin) return null;
  // Who owns names may answer each host differently, and open accounts. What was found for anybody else clears the host.
  const accusers = accusersOf(record, nowMs);
  if (recent(record.backers, nowMs, FOUND_MS).some(({ account }) => !accusers.has(account))) return null;
  return COMPLAINTS.denies(denied.length);
}

function accusersOf({ denied }: ResolverRecord, nowMs: number): ReadonlySet<string> {
  return new Set(recent(denied, nowMs, DENIED_MS).map(({ account }) => account));
}

function recent<T extends { readonly atMs: number }>(facts: readonly T[], nowMs: number, forMs: number): readonly T[] {
  return facts.filter(({ atMs }) => nowMs - atMs <= forMs);
}

/** Domains count by their owners. */
function weightOf(facts: readonly Fact[]): number {
  const owners = new Set(facts.map(({ zone }) => zone)).size;
  return owners + Math.floor((facts.length - owners) / SAME_ZONE);
}
