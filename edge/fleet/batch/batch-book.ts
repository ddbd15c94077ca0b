import type { LinkEvidence } from '../../../schema/link.ts';
import { isRest } from '../../../schema/outcomes.ts';
import { believed, better, type Heard, isInDoubt, notBelieved } from '../trust/doubt.ts';
import type { HostTrust } from '../trust/host-records.ts';
import { receiverOf, zoneOf } from '../trust/receiver.ts';
import { hasSpare, type HostRef, type Member, untried } from '../trust/roster.ts';
import { type AddressState, AddressStates, type Group, HostLists, newAddress } from './address-state.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import { type Assignment, type HeldJob, inBatch, type Job, JobIds, newJob, type Reported } from './job.ts';
import type { FleetLimits } from './limits.ts';
import { SecondHosts } from './second-hosts.ts';
import { hostOf, type Lot } from './spread.ts';
import { ANSWERS_MAX, SecondOpinions } from './second-opinions.ts';

// The book of one batch: which host has which address, what was reported about it, and what is still to do. It has no
// socket, clock or randomness of its own.

/** Evidence that nobody has to improve on any more. */
export type Final = readonly [index: BatchIndex, evidence: LinkEvidence];
export type Plan = {
  /** Jobs to send now. */
  readonly assignments: readonly Assignment[];
  /** Evidence that had been held back and is final after all. */
  readonly final: readonly Final[];
};

type BookLimits = Pick<FleetLimits, 'lossesMax' | 'lanes' | 'secondTryMs'>;

export class BatchBook {
  readonly ids: JobIds;
  readonly opinions: SecondOpinions;
  readonly seconds: SecondHosts;
  readonly #limits: BookLimits;
  readonly #hosts: HostTrust;
  readonly #addresses: AddressStates;
  readonly #lot: Lot;
  readonly #lists = new HostLists();
  readonly #jobs = new Map<string, Job>();

  /** @param lot which host a domain of the batch's account belongs to */
  constructor(job: FleetJob, limits: BookLimits, hosts: HostTrust, lot: Lot) {
    const { account, known = [], part } = job;
    this.ids = new JobIds(job.batchId);
    if (part !== undefined) this.ids.skip([part.n]);
    this.#limits = limits;
    this.#hosts = hosts;
    this.#lot = lot;
    this.#addresses = new AddressStates(
      job.addresses.map(([, domain]) => newAddress({ domain: receiverOf(domain), zone: receiverOf(zoneOf(domain)) })),
    );
    const [addresses, trustOf] = [this.#addresses, (host: HostRef) => this.opinions.trustOf(host)];
    this.opinions = new SecondOpinions(hosts, account, addresses);
    this.seconds = new SecondHosts({ hosts, account, addresses, trustOf, limits });
    for (const index of known) {
      const address = this.#addresses.find(index);
      if (address !== null) address.state = 'final';
    }
  }

  /** Every address has its final evidence. */
  get complete(): boolean {
    return !this.#addresses.some(({ state }) => state !== 'final');
  }

  /** Some addresses are with nobody. */
  get waiting(): boolean {
    return this.#addresses.some(({ state }) => state === 'waiting');
  }

  /** Another host may learn more of some addresses. */
  get holding(): boolean {
    return this.#addresses.some(({ state }) => state === 'held');
  }

  /** What is with nobody stays so: it was lost too often, and may be what its hosts died of. */
  get exhausted(): boolean {
    return this.ids.isUsedUp || (!this.waiting && this.#addresses.some(({ state }) => state === 'lost'));
  }

  /** The jobs under way, by their ids. */
  get jobs(): ReadonlyMap<string, Job> {
    return this.#jobs;
  }

  /**
   * Gives addresses to a host under a new job: those of one assignment, which the same hosts have tried.
   * @param members who may get what this host declines
   */
  assign(to: HostRef, indexes: readonly BatchIndex[], members: readonly Member[]): Job {
    const [first] = indexes;
    const tried = first === undefined ? [] : this.#addresses.at(first).tried;
    const others = members.filter((m) => !this.#hosts.rate(m).avoided);
    const mayDecline = tried.length + 1 < ANSWERS_MAX && hasSpare(others, tried, to);
    const jobId = this.ids.next(indexes.length === this.#addresses.size);
    return this.#begin(newJob({ jobId, to, indexes, mayDecline }));
  }

  /** Takes up a job again, at the host that has it since before this object or this book was. */
  resume(to: HostRef, { n, indexes }: HeldJob): Job {
    this.ids.skip([n]);
    return this.#begin(newJob({ jobId: this.ids.of(n), to, indexes, mayDecline: false }));
  }

  /**
   * Takes evidence that a host sent under a job; what is repeated is ignored.
   * @returns what is final at once
   */
  hear(job: Job, reported: readonly Reported[]): readonly Final[] {
    const final: Final[] = [];
    for (const one of reported) {
      const { index: inJob, evidence } = one;
      if (!job.open.delete(inJob)) continue;
      const index = inBatch(job, inJob);
      const address = this.#addresses.at(index);
      if (address.state !== 'out') continue;
      this.opinions.hear(job, address, one, this.#lists);
      address.declined = job.mayDecline && isRest(evidence.outcome);
      if (this.#isFinalWith(address, { from: job.to, evidence })) final.push(...this.#settle(index, true));
    }
    return final;
  }

  /** The host has nothing more to say under this job: what it did not report is with nobody. */
  close(job: Job, lost: boolean): void {
    if (!this.#jobs.delete(job.jobId)) return;
    for (const inJob of job.open) {
      const address = this.#addresses.at(inBatch(job, inJob));
      if (lost) address.losses += 1;
      if (address.state !== 'out') continue;
      address.tried = this.#lists.after(address.tried, job.to);
      const isLost = address.losses >= this.#limits.lossesMax;
      address.state = address.best === null ? (isLost ? 'lost' : 'waiting') : 'held';
    }
  }

  /**
   * What to do now.
   * @param members who may get jobs
   * @param remainingMs what is left to the batch
   */
  plan(members: readonly Member[], remainingMs: number, random: () => number): Plan {
    const isUsedUp = this.ids.isUsedUp;
    const first = isUsedUp ? [] : this.#planFirst(members);
    const isLate = remainingMs < this.#limits.secondTryMs || isUsedUp;
    const { assignments, over } = isLate
      ? { assignments: [], over: [...this.#addresses.groupsOf('held')] }
      : this.seconds.plan(first, [...this.#jobs.values()], members, random);
    // What could be confirmed and was not, for want of time, is charged to nobody.
    const isAlone = (group: Group): boolean => !isLate || this.seconds.candidates(group, members).length === 0;
    const final = over.flatMap((group) => group.indexes.flatMap((index) => this.#settle(index, isAlone(group))));
    return { assignments: [...first, ...assignments], final };
  }

  /** Ends the waiting for better evidence. */
  release(): readonly Final[] {
    return [...this.#addresses.entries()].flatMap(([index]) => this.#settle(index, false));
  }

  /** Addresses that are with nobody go to a host that has not tried them. */
  #planFirst(members: readonly Member[]): readonly Assignment[] {
    const [rate, lot] = [(host: HostRef) => this.#hosts.rate(host), this.#lot];
    return [...this.#addresses.groupsOf('waiting')].flatMap(({ tried, indexes }) => {
      const to = hostOf(this.#addresses.byDomain(indexes), { members: untried(members, tried), rate, lot });
      return to === null ? [] : [{ to, indexes, isFirst: true }];
    });
  }

  #begin(job: Job): Job {
    this.#jobs.set(job.jobId, job);
    for (const index of job.indexes) {
      const address = this.#addresses.at(index);
      if (address.state !== 'final') address.state = 'out';
    }
    return job;
  }

  /** @param isAlone nobody else could have been asked */
  #settle(index: BatchIndex, isAlone: boolean): Final[] {
    const address = this.#addresses.at(index);
    const { check } = address;
    if (address.best === null) return [];
    const isOpen = !isAlone && this.opinions.isUnconfirmed(address);
    const judged = check === null || isOpen ? address.best : this.opinions.judge(address, check);
    const best = judged ?? address.best;
    address.state = 'final';
    address.best = null;
    address.check = null;
    if (judged === null || isOpen || this.opinions.isOutvoted(address, best))
      return [[index, notBelieved(best.evidence)]];
    return [[index, believed(best, (host) => this.opinions.trustOf(host))]];
  }

  #isFinalWith(address: AddressState, heard: Heard): boolean {
    const { outcome } = heard.evidence;
    const trustOf = (host: HostRef) => this.opinions.trustOf(host);
    address.answers += 1;
    address.tried = this.#lists.after(address.tried, heard.from);
    const counts = !isInDoubt(outcome) || trustOf(heard.from) !== 'unproven';
    if (outcome.kind !== 'unprobed' && counts) address.seen += 1;
    address.best = better(address.best, heard, trustOf);
    address.state = 'held';
    return !this.opinions.wantsAnother(address, address.best);
  }
}
