import type { LinkEvidence } from '../../../schema/link.ts';
import { isRest, OUTCOMES } from '../../../schema/outcomes.ts';
import { Confirmations } from './confirmations.ts';
import { believed, better, type Heard, isInDoubt, provesReach } from '../trust/doubt.ts';
import type { Standing } from '../trust/host-record.ts';
import type { FleetLimits } from './limits.ts';
import { type PeersOfBatch, receiverOf } from '../trust/peers.ts';
import {
  afterDecline,
  hasSpare,
  type HostRef,
  type Member,
  otherEgress,
  otherHosts,
  pick,
  untried,
} from '../trust/roster.ts';
import { busyDomains, fitting, type Group, groupsOf, HostLists, newSlot, type Slot } from './slots.ts';

// The book of one batch: which address is with which host, what was heard of it, and what is still to do. It knows no
// socket, no clock and no lot of its own.

/** Answers of one address at most; evidence from two hosts is enough in any case. */
const ANSWERS_MAX = 3;
/** Job ids end in a number of at most three digits. */
const ATTEMPTS_MAX = 999;
/** A host that is not trusted and reached none of so many domains in a row keeps no job that another could have. */
const FUTILE_DOMAINS = 20;

export type Attempt = {
  readonly jobId: string;
  readonly to: HostRef;
  /** Indexes in the batch; evidence names an address by its index in this list, the job's. */
  readonly indexes: readonly number[];
  /** Indexes in the job that were not reported yet. */
  readonly open: Set<number>;
  /** Domains in doubt since its host last reached anybody under this job. */
  readonly doubted: Set<number>;
  /** Another host is there for what this one had better leave alone. */
  readonly mayDecline: boolean;
};

/** `index`: the address's place in the job. */
type Item = { readonly index: number; readonly evidence: LinkEvidence };

/** `index`: the address's place in the batch. */
export type Found = readonly [index: number, evidence: LinkEvidence];
export type Gift = { readonly to: Member; readonly indexes: readonly number[] };
export type Plan = {
  /** Jobs to send now. */
  readonly gifts: readonly Gift[];
  /** Evidence that had been held back and is final after all. */
  readonly final: readonly Found[];
};

export class Attempts {
  readonly #batchId: string;
  readonly #limits: Pick<FleetLimits, 'lossesMax' | 'lanes' | 'secondTryMs'>;
  readonly #peers: PeersOfBatch;
  readonly #account: string;
  readonly #slots: readonly Slot[];
  readonly #lists = new HostLists();
  readonly #out = new Map<string, Attempt>();
  #next = 1;
  #losses = 0;
  #dropped = 0;
  readonly #confirmations = new Confirmations();
  /** Processes that could not reach what another host then reached: in this batch nothing in doubt is believed of them. */
  readonly #contradicted = new Set<string>();

  /**
   * @param domains the domain of each address, by index
   * @param account whose batch it is, as contradictions are counted
   */
  constructor(
    batchId: string,
    domains: readonly string[],
    limits: Pick<FleetLimits, 'lossesMax' | 'lanes' | 'secondTryMs'>,
    peers: PeersOfBatch,
    account = '',
  ) {
    this.#batchId = batchId;
    this.#limits = limits;
    this.#peers = peers;
    this.#account = account;
    this.#slots = domains.map((domain) => newSlot(receiverOf(domain)));
  }

  /** Addresses whose final evidence the Worker has already. */
  know(indexes: readonly number[]): void {
    for (const index of indexes) {
      const slot = this.#slots[index];
      if (slot !== undefined) slot.state = 'final';
    }
  }

  /** Evidence that named no address of its job. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number of the next attempt. */
  get next(): number {
    return this.#next;
  }

  /** Counts evidence that cannot be used. */
  miss(items: number): void {
    this.#dropped += items;
  }

  /** Every address has its final evidence. */
  get complete(): boolean {
    return this.#slots.every((slot) => slot.state === 'final');
  }

  /** Some addresses are with nobody. */
  get waiting(): boolean {
    return this.#slots.some((slot) => slot.state === 'waiting');
  }

  /** Another host may learn more of some addresses. */
  get holding(): boolean {
    return this.#slots.some((slot) => slot.state === 'held');
  }

  /** So many jobs were lost that no other is given out. */
  get exhausted(): boolean {
    return this.#losses >= this.#limits.lossesMax || this.#next > ATTEMPTS_MAX;
  }

  get out(): readonly Attempt[] {
    return [...this.#out.values()];
  }

  attempt(jobId: string): Attempt | null {
    return this.#out.get(jobId) ?? null;
  }

  /** The id of the job that asks for the whole batch: the only one that a new object can take up again. */
  get firstId(): string {
    return `${this.#batchId}.1`;
  }

  /** Attempts of an earlier object had these ids: they are not given again. */
  skip(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#next = Math.max(this.#next, 1 + Number(id.slice(id.lastIndexOf('.') + 1)));
  }

  /**
   * Hands addresses to a host under the next attempt: those of one gift, which the same hosts have tried.
   * @param members who may get what this host declines
   */
  give(to: HostRef, indexes: readonly number[], members: readonly Member[] = []): Attempt {
    const tried = this.#slots[indexes[0] ?? -1]?.tried ?? [];
    const others = members.filter((m) => !this.#peers.rate(m.instance).avoided);
    const mayDecline = tried.length + 1 < ANSWERS_MAX && hasSpare(others, tried, to);
    const attempt = this.#hand(`${this.#batchId}.${this.#next}`, to, indexes, mayDecline);
    this.#next += 1;
    return attempt;
  }

  /** Takes up the first job of the batch again, at the host that runs it since before this object was. */
  resume(to: HostRef): Attempt {
    this.#next = Math.max(this.#next, 2);
    return this.#hand(
      this.firstId,
      to,
      this.#slots.map((_, index) => index),
      false,
    );
  }

  /**
   * Takes evidence that a host sent under a job; what is repeated is ignored, what names no address of it is counted.
   * @returns what is final at once
   */
  hear(attempt: Attempt, items: readonly Item[]): readonly Found[] {
    const final: Found[] = [];
    for (const { index: inJob, evidence } of items) {
      const index = attempt.indexes[inJob];
      const slot = index === undefined ? undefined : this.#slots[index];
      if (index === undefined || slot === undefined) this.#dropped += 1;
      else if (attempt.open.delete(inJob) && slot.state === 'out') {
        this.#compare(attempt, slot, evidence);
        slot.declined = attempt.mayDecline && isRest(evidence.outcome);
        if (this.#answer(slot, { from: attempt.to, evidence })) final.push(...this.#settle(index));
      }
    }
    return final;
  }

  /** The host has nothing more to say under this job: what it did not report is with nobody. */
  close(attempt: Attempt, lost: boolean): void {
    if (!this.#out.delete(attempt.jobId)) return;
    if (lost) this.#losses += 1;
    for (const inJob of attempt.open) {
      const slot = this.#slots[attempt.indexes[inJob] ?? -1];
      if (slot === undefined || slot.state !== 'out') continue;
      slot.tried = this.#lists.after(slot.tried, attempt.to);
      slot.state = slot.best === null ? 'waiting' : 'held';
    }
  }

  /**
   * Whether a job is better taken from its host: not trusted, it reached none of many domains in a row, and there is a
   * host that has not tried what is left.
   */
  isFutile(attempt: Attempt, members: readonly Member[]): boolean {
    if (attempt.doubted.size < FUTILE_DOMAINS || this.#standing(attempt.to) === 'trusted') return false;
    const [left] = attempt.open;
    const slot = left === undefined ? undefined : this.#slots[attempt.indexes[left] ?? -1];
    if (slot === undefined) return false;
    return otherHosts(members, [...slot.tried, attempt.to]).some((m) => !this.#peers.rate(m.instance).avoided);
  }

  /**
   * What to do now.
   * @param members who may get jobs
   * @param remainingMs what is left to the batch
   */
  plan(members: readonly Member[], remainingMs: number, random: () => number): Plan {
    const gifts: Gift[] = [];
    const rate = (instance: string) => this.#peers.rate(instance);
    if (!this.exhausted) {
      for (const group of groupsOf(this.#slots, 'waiting')) {
        const to = pick(untried(members, group.tried), rate, random);
        if (to !== null) gifts.push({ to, indexes: group.indexes });
      }
    }
    const idle: Group[] = [];
    const asked = new Set<number>();
    const late = remainingMs < this.#limits.secondTryMs || this.exhausted;
    const busy = busyDomains(this.#slots);
    let lanes = this.#limits.lanes - busy.size;
    for (const group of groupsOf(this.#slots, 'held')) {
      const to = late ? null : pick(this.#candidates(group, members), rate, random);
      const wanted = to === null ? [] : this.#wanted(group);
      if (to === null || wanted.length === 0) {
        idle.push(group);
        continue;
      }
      for (const index of wanted) asked.add(index);
      const ready = wanted.filter((index) => !busy.has(this.#slots[index]?.domain ?? -1));
      const [indexes, used] = fitting(this.#slots, ready, lanes);
      lanes -= used;
      if (indexes.length > 0) gifts.push({ to, indexes });
    }
    // After all gifts: what one of them may show is waited for.
    const over = idle.filter((group) => late || !this.#mayTurnOut(group, gifts, asked));
    return { gifts, final: over.flatMap(({ indexes }) => indexes.flatMap((index) => this.#settle(index))) };
  }

  /** Ends the waiting for better evidence. */
  release(): readonly Found[] {
    return this.#slots.flatMap((slot, index) => (slot.best !== null ? this.#settle(index) : []));
  }

  #hand(jobId: string, to: HostRef, indexes: readonly number[], mayDecline: boolean): Attempt {
    const attempt = { jobId, to, indexes, open: new Set(indexes.keys()), doubted: new Set<number>(), mayDecline };
    this.#out.set(jobId, attempt);
    for (const index of indexes) {
      const slot = this.#slots[index];
      if (slot !== undefined && slot.state !== 'final') slot.state = 'out';
    }
    return attempt;
  }

  #settle(index: number): Found[] {
    const slot = this.#slots[index];
    const best = slot?.best ?? null;
    if (slot === undefined || best === null) return [];
    slot.state = 'final';
    slot.best = null;
    return [[index, believed(best, (host) => this.#standing(host))]];
  }

  /** Whoever reached a receiver speaks for itself, and against every host that could not. */
  #compare(attempt: Attempt, slot: Slot, { outcome }: LinkEvidence): void {
    if (isInDoubt(outcome)) {
      attempt.doubted.add(slot.domain);
      slot.doubters = this.#lists.after(slot.doubters, attempt.to);
      slot.sampled ||= this.#standing(attempt.to) === 'trusted' && this.#peers.sample(attempt.to.instance);
      return;
    }
    if (!provesReach(outcome)) return;
    attempt.doubted.clear();
    this.#peers.reached(attempt.to);
    for (const doubter of slot.doubters) {
      this.#contradicted.add(doubter.instance);
      this.#peers.contradicted(doubter, slot.domain, this.#account);
    }
  }

  /** @returns whether it is final */
  #answer(slot: Slot, heard: Heard): boolean {
    slot.answers += 1;
    slot.tried = this.#lists.after(slot.tried, heard.from);
    const { outcome } = heard.evidence;
    const counts = !isInDoubt(outcome) || this.#standing(heard.from) !== 'unproven';
    if (outcome.kind !== 'unprobed' && counts) slot.seen += 1;
    slot.best = better(slot.best, heard, (host) => this.#standing(host));
    slot.state = 'held';
    return !this.#wantsAnother(slot, slot.best);
  }

  /** Whether a host that has not tried yet may learn more. */
  #wantsAnother(slot: Slot, { from, evidence: { outcome } }: Heard): boolean {
    if (slot.answers >= ANSWERS_MAX) return false;
    if (OUTCOMES[outcome.kind].turnedAway) return slot.seen < 2;
    if (!isInDoubt(outcome)) return outcome.kind === 'unprobed' && outcome.why !== 'deadline';
    switch (this.#standing(from)) {
      case 'trusted':
        return slot.sampled && slot.seen < 2;
      case 'proven':
        return slot.seen < 2;
      case 'unproven':
        return true;
    }
  }

  #standing({ instance }: HostRef): Standing {
    return this.#contradicted.has(instance) ? 'unproven' : this.#peers.standing(instance);
  }

  /** Who may be asked about what is held. About a doubtful one those go first whose own word would count. */
  #candidates({ tried, needsEgress, declined, doubter }: Group, members: readonly Member[]): readonly Member[] {
    if (declined) return afterDecline(members, tried);
    if (needsEgress) return otherEgress(members, tried);
    const others = otherHosts(members, tried);
    if (doubter === null) return others;
    const standing = others.filter((m) => this.#standing(m) !== 'unproven');
    if (standing.length > 0 || this.#standing(doubter) === 'unproven') return standing.length > 0 ? standing : others;
    return others.filter((m) => !this.#peers.rate(m.instance).avoided);
  }

  /** Those of a group that another host is to be asked about. */
  #wanted({ indexes, doubter }: Group): readonly number[] {
    if (doubter === null || this.#standing(doubter) !== 'proven') return indexes;
    return this.#confirmations.choose(doubter.instance, this.#slots, indexes);
  }

  /**
   * Whether it may still turn out how far a host in doubt is believed, so that nothing of it is settled yet.
   * @param asked what another host is to be asked about, by these gifts or as soon as there is room
   */
  #mayTurnOut({ doubter }: Group, gifts: readonly Gift[], asked: ReadonlySet<number>): boolean {
    if (doubter === null) return false;
    const { instance } = doubter;
    if (this.#standing(doubter) === 'unproven')
      return (
        gifts.some(({ to }) => to.instance === instance) ||
        this.out.some(({ to, open }) => to.instance === instance && open.size > 0)
      );
    return this.#slots.some(
      (slot, index) => (slot.state === 'out' || asked.has(index)) && this.#confirmations.decides(instance, slot),
    );
  }
}
