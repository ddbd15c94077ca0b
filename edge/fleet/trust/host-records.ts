import { keepLatest } from '../../../schema/keep-latest.ts';
import type { LogFields } from '../../base/log-fields.ts';
import { COMPLAINTS } from './complaints.ts';
import {
  afterAcceptance,
  afterContradiction,
  afterAssignment,
  afterReach,
  afterRefusal,
  afterSilence,
  assignedLately,
  type AskedOf,
  type HostRecord,
  isAvoided,
  NEW_RECORD,
  told,
  type Trust,
  trustOf,
} from './host-record.ts';
import { MailboxAnswers, type MailboxTrust } from './mailbox-answers.ts';
import { afterVouching, mayVouch } from './resolver-record.ts';
import type { HostRef, Member, Rating } from './roster.ts';
import { UnansweredJobs } from './unanswered.ts';

// What the hosts of one Fleet object have shown so far, each by its process.

/** What a batch asks of it, and tells it. */
export type HostTrust = { readonly mailboxes: MailboxTrust } & Pick<
  HostRecords,
  'trustOf' | 'rate' | 'sample' | 'mayVouch' | 'vouch' | 'reached' | 'contradicted' | 'assigned' | 'answered' | 'lost'
>;

/** Processes remembered: far more than are connected. */
const RECORDS_MAX = 1_000;
/** Comparisons of a trusted host: at most this many domains in this time, each of another account. */
const SAMPLES_MAX = 5;
const SAMPLES_EVERY_MS = 60_000;

/** What is to outlive the object is handed over at most this often. */
const REACH_KEPT_MS = 10_000;

type Log = (level: 'info' | 'warn', event: string, fields: LogFields) => void;

export class HostRecords {
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onReach: (instance: string, nowMs: number) => void;
  /** By process, the one that did something last at the end. */
  readonly #records = new Map<string, HostRecord>();
  /** Processes of which the operator was told that they are not healthy. */
  readonly #sick = new Set<string>();
  readonly #unanswered = new UnansweredJobs();
  readonly mailboxes: MailboxAnswers;
  readonly #samples = new Map<string, { readonly sinceMs: number; readonly accounts: readonly string[] }>();

  /**
   * @param onReach a mail server talked to a process: what is to outlive this object
   * @param compares whether hosts are compared at all
   */
  constructor(
    now: () => number,
    log: Log,
    onReach: (instance: string, nowMs: number) => void,
    compares: () => boolean = () => true,
  ) {
    this.#now = now;
    this.#log = log;
    this.#onReach = onReach;
    this.mailboxes = new MailboxAnswers(
      now,
      (instance) => this.#record(instance),
      (host, change) => this.#change(host, change),
      compares,
    );
  }

  /** Takes in what the links know of these processes. @returns them */
  look(members: readonly Member[]): readonly Member[] {
    for (const member of members) {
      const record = this.#record(member.instance);
      const checked = member.checked && member.healthy;
      // An object that was reset knows from the link alone that a host reached somebody.
      const reachedAtMs = Math.max(record.reachedAtMs, member.reachedAtMs);
      const says = member.healthy ? null : COMPLAINTS.selfCheck(member.failing);
      if (record.checked !== checked || record.says !== says || record.reachedAtMs !== reachedAtMs)
        this.#change(member, () => ({ ...record, checked, says, reachedAtMs }));
    }
    return members;
  }

  trustOf(instance: string): Trust {
    return trustOf(this.#record(instance), this.#now());
  }

  rate({ host, instance }: HostRef): Rating {
    const record = this.#record(instance);
    const now = this.#now();
    const avoided = isAvoided(record, now) || this.#unanswered.isKeptBack(host, now);
    return { trust: trustOf(record, now), avoided, ...assignedLately(record, now) };
  }

  /** Whether a trusted host's evidence is put to another host all the same, to compare the two. */
  sample(instance: string, account: string): boolean {
    const now = this.#now();
    const known = this.#samples.get(instance);
    const turn =
      known === undefined || now - known.sinceMs >= SAMPLES_EVERY_MS ? { sinceMs: now, accounts: [] } : known;
    if (turn.accounts.length >= SAMPLES_MAX || turn.accounts.includes(account)) return false;
    this.#samples.set(instance, { ...turn, accounts: [...turn.accounts, account] });
    return true;
  }

  /** Whether a trusted host would be believed by its own word that a domain takes no mail or cannot be looked up. */
  mayVouch(instance: string): boolean {
    return mayVouch(this.#record(instance).resolver, this.#now());
  }

  /** It says so of an address. @returns whether it is believed by its own word: it has that many times only */
  vouch(instance: string): boolean {
    const record = this.#record(instance);
    const [resolver, isBelieved] = afterVouching(record.resolver, this.#now());
    this.#keep(instance, { ...record, resolver });
    return isBelieved;
  }

  /** A mail server talked to it. @param found whose name its resolver found for that; null: a name that proves nothing */
  reached(host: HostRef, found: AskedOf | null): void {
    const now = this.#now();
    const isNews =
      Math.floor(this.#record(host.instance).reachedAtMs / REACH_KEPT_MS) < Math.floor(now / REACH_KEPT_MS);
    this.#change(host, (record) => afterReach(record, found, now));
    if (isNews) this.#onReach(host.instance, now);
  }

  /** Another host reached a receiver that it could not. @param denied its resolver said that there is none */
  contradicted(host: HostRef, asked: AskedOf, denied: boolean): void {
    this.#change(host, (record, now) => afterContradiction(record, asked, denied, now));
  }

  assigned(host: HostRef, addresses: number, isFirst: boolean): void {
    this.#change(host, (record, now) => afterAssignment(record, addresses, isFirst, now));
  }

  /** It took a job, or would not. */
  answered(host: HostRef, refusal: string | null): void {
    this.#change(host, (record, now) =>
      refusal === null ? afterAcceptance(record) : afterRefusal(record, refusal, now),
    );
  }

  /** It did not end a job that it was given. @param isDeaf its link stands, and it says nothing */
  lost(host: HostRef, isDeaf: boolean): void {
    if (isDeaf) this.#change(host, afterSilence);
    if (this.#unanswered.note(host.host, this.#now()))
      this.#log('warn', 'host_crashes', { host: host.host, why: 'it left jobs unanswered three times in ten minutes' });
  }

  /** Why a process is not healthy; null if nothing is known against it. */
  complaint({ instance }: HostRef): string | null {
    return told(this.#record(instance), this.#now());
  }

  #record(instance: string): HostRecord {
    return this.#records.get(instance) ?? NEW_RECORD;
  }

  /** The operator hears of every host that falls sick or is well again. */
  #change({ host, instance }: HostRef, change: (record: HostRecord, now: number) => HostRecord): void {
    const now = this.#now();
    const after = change(this.#record(instance), now);
    this.#keep(instance, after);
    // What was told last, and not what was so: time alone makes a host sick or well.
    const [was, is] = [this.#sick.has(instance), told(after, now)];
    if (is === null) this.#sick.delete(instance);
    else this.#sick.add(instance);
    if (!was && is !== null) this.#log('warn', 'host_unhealthy', { host, why: is });
    if (was && is === null) this.#log('info', 'host_healthy', { host });
  }

  #keep(instance: string, record: HostRecord): void {
    const oldest = keepLatest(this.#records, instance, record, RECORDS_MAX);
    if (oldest === null) return;
    this.#samples.delete(oldest);
    this.#sick.delete(oldest);
  }
}
