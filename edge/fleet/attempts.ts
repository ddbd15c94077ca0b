import type { Outcome } from '../../schema/evidence.ts';
import type { LinkEvidence } from '../../schema/link.ts';
import { OUTCOMES, rankAcrossHosts, wantsOtherEgress } from '../../schema/outcomes.ts';
import type { FleetLimits } from './limits.ts';
import { type HostRef, type Member, otherEgress, otherHosts, pick, untried } from './roster.ts';

// The book of one batch: which address is with which host, what was heard of it, and what is still to do. It knows no
// socket, no clock and no lot of its own.

/** Answers of one address at most; evidence from two hosts is enough in any case. */
const ANSWERS_MAX = 3;
/** Job ids end in a number of at most three digits. */
const ATTEMPTS_MAX = 999;

export type Attempt = {
  readonly jobId: string;
  readonly to: HostRef;
  /** Indexes in the batch; evidence names an address by its index in this list, the job's. */
  readonly indexes: readonly number[];
  /** Indexes in the job that were not reported yet. */
  readonly open: Set<number>;
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

/** There are 500 of them in each of hundreds of batches: they hold numbers, and lists that they share. */
type Slot = {
  /** Equal for addresses of one domain. */
  readonly domain: number;
  /** `held`: evidence is there, another host may learn more. */
  state: 'waiting' | 'out' | 'held' | 'final';
  /** Let go of as soon as it is final. */
  best: LinkEvidence | null;
  answers: number;
  /** Answers that were evidence of something. */
  seen: number;
  tried: readonly HostRef[];
};

export class Attempts {
  readonly #batchId: string;
  readonly #limits: Pick<FleetLimits, 'lossesMax' | 'lanes' | 'secondTryMs'>;
  readonly #slots: readonly Slot[];
  readonly #lists = new Lists();
  readonly #out = new Map<string, Attempt>();
  #next = 1;
  #losses = 0;
  #dropped = 0;

  /** @param domains the domain of each address, by index */
  constructor(
    batchId: string,
    domains: readonly string[],
    limits: Pick<FleetLimits, 'lossesMax' | 'lanes' | 'secondTryMs'>,
  ) {
    this.#batchId = batchId;
    this.#limits = limits;
    const numbers = new Map<string, number>();
    for (const domain of domains) if (!numbers.has(domain)) numbers.set(domain, numbers.size);
    this.#slots = domains.map((domain) => ({
      domain: numbers.get(domain) ?? 0,
      state: 'waiting',
      best: null,
      answers: 0,
      seen: 0,
      tried: NOBODY,
    }));
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

  /** How many addresses there are. */
  get size(): number {
    return this.#slots.length;
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

  /** Hands addresses to a host under the next attempt. */
  give(to: HostRef, indexes: readonly number[]): Attempt {
    const attempt = this.#hand(`${this.#batchId}.${this.#next}`, to, indexes);
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
        const { best, isFinal } = answer(slot, this.#lists.after(slot.tried, attempt.to), evidence);
        if (isFinal) final.push([index, best]);
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
   * What to do now.
   * @param members who may get jobs
   * @param remainingMs what is left to the batch
   */
  plan(members: readonly Member[], remainingMs: number, random: () => number): Plan {
    const gifts: Gift[] = [];
    if (!this.exhausted) {
      for (const group of groupByTried(this.#slots, 'waiting')) {
        const to = pick(untried(members, group.tried), random);
        if (to !== null) gifts.push({ to, indexes: group.indexes });
      }
    }
    const final: Found[] = [];
    const late = remainingMs < this.#limits.secondTryMs || this.exhausted;
    const busy = this.#busyDomains();
    let lanes = this.#limits.lanes - busy.size;
    for (const group of groupByTried(this.#slots, 'held')) {
      const to = late ? null : pick(group.candidates(members), random);
      if (to === null) final.push(...group.indexes.flatMap((index) => this.#settle(index)));
      else {
        const ready = group.indexes.filter((index) => !busy.has(this.#slots[index]?.domain ?? -1));
        const [indexes, used] = this.#fit(ready, lanes);
        lanes -= used;
        if (indexes.length > 0) gifts.push({ to, indexes });
      }
    }
    return { gifts, final };
  }

  /** Ends the waiting for better evidence. */
  release(): readonly Found[] {
    return this.#slots.flatMap((slot, index) => (slot.best !== null ? this.#settle(index) : []));
  }

  #hand(jobId: string, to: HostRef, indexes: readonly number[]): Attempt {
    const attempt = { jobId, to, indexes, open: new Set(indexes.keys()) };
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
    return [[index, best]];
  }

  /** Domains that a host is at, or will be as soon as there is one: no second one may be at the same time. */
  #busyDomains(): ReadonlySet<number> {
    return new Set(
      this.#slots.filter((slot) => slot.state === 'out' || slot.state === 'waiting').map((slot) => slot.domain),
    );
  }

  /** As many of the addresses as belong to no more than so many domains. */
  #fit(indexes: readonly number[], lanes: number): readonly [readonly number[], number] {
    const domains = new Set<number>();
    const fitting = indexes.filter((index) => {
      const domain = this.#slots[index]?.domain ?? -1;
      if (!domains.has(domain) && domains.size >= lanes) return false;
      domains.add(domain);
      return true;
    });
    return [fitting, domains.size];
  }
}

/** Whether a host that has not tried yet may learn more. */
function wantsAnother(slot: Slot, outcome: Outcome): boolean {
  if (slot.answers >= ANSWERS_MAX) return false;
  if (OUTCOMES[outcome.kind].turnedAway) return slot.seen < 2;
  return outcome.kind === 'unprobed' && outcome.why !== 'deadline';
}

function answer(
  slot: Slot,
  tried: readonly HostRef[],
  evidence: LinkEvidence,
): { readonly best: LinkEvidence; readonly isFinal: boolean } {
  slot.answers += 1;
  slot.tried = tried;
  if (evidence.outcome.kind !== 'unprobed') slot.seen += 1;
  const best =
    slot.best !== null && rankAcrossHosts(slot.best.outcome) >= rankAcrossHosts(evidence.outcome)
      ? slot.best
      : evidence;
  const isFinal = !wantsAnother(slot, best.outcome);
  slot.best = isFinal ? null : best;
  slot.state = isFinal ? 'final' : 'held';
  return { best, isFinal };
}

const NOBODY: readonly HostRef[] = [];

/** Lists of hosts tried: most addresses of a batch have the same. */
class Lists {
  readonly #lists: Array<readonly HostRef[]> = [];

  /** The list with one host more. */
  after(tried: readonly HostRef[], host: HostRef): readonly HostRef[] {
    const isNext = (list: readonly HostRef[]): boolean =>
      list.length === tried.length + 1 && list.at(-1) === host && tried.every((one, at) => list[at] === one);
    const known = this.#lists.find(isNext);
    if (known !== undefined) return known;
    const list = [...tried, host];
    this.#lists.push(list);
    return list;
  }
}

type Group = {
  readonly indexes: number[];
  readonly tried: readonly HostRef[];
  readonly candidates: (members: readonly Member[]) => readonly Member[];
};

/** Addresses in one state that the same hosts may get. */
function groupByTried(slots: readonly Slot[], state: 'waiting' | 'held'): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [index, slot] of slots.entries()) {
    if (slot.state !== state) continue;
    const { tried, best } = slot;
    const needsEgress = best !== null && wantsOtherEgress(best.outcome);
    const key = `${needsEgress} ${tried.map((t) => t.instance).join(' ')}`;
    const group = groups.get(key);
    if (group !== undefined) group.indexes.push(index);
    else {
      const candidates = needsEgress ? otherEgress : otherHosts;
      groups.set(key, { indexes: [index], tried, candidates: (members) => candidates(members, tried) });
    }
  }
  return groups.values();
}
