import { RUNNING_MAX, type ToHost } from '../../../schema/link.ts';
import type { FleetLimits } from '../batch/limits.ts';
import type { HostRecords } from '../trust/host-records.ts';
import { eligible, type HostRef, type Member } from '../trust/roster.ts';
import { UnansweredJobs } from '../trust/unanswered.ts';
import type { Clock, FleetServices, HostLinks } from '../trust/services.ts';
import type { HostRoom } from './capacity.ts';
import type { Links } from './links.ts';

/** The links as jobs need them: each look at the roster also tells the hosts' records what the links know. */
export class JobLinks implements HostLinks {
  readonly #links: Links;
  readonly #records: HostRecords;
  readonly #clock: Clock;
  readonly #log: FleetServices['log'];
  readonly #limits: () => FleetLimits;
  readonly #unanswered = new UnansweredJobs();

  constructor(
    links: Links,
    records: HostRecords,
    { clock, log }: { readonly clock: Clock; readonly log: FleetServices['log'] },
    limits: () => FleetLimits,
  ) {
    this.#links = links;
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
    this.#limits = limits;
  }

  members(): readonly Member[] {
    const now = this.#clock.now();
    return this.#records
      .look(this.#links.members(now))
      .map((member) => (this.#unanswered.isKeptBack(member.host, now) ? { ...member, unresponsive: true } : member));
  }

  jobLost({ host }: HostRef): void {
    if (this.#unanswered.note(host, this.#clock.now())) this.#log('warn', 'host_crashes', { host });
  }

  /** What the hosts that take jobs can run at once. */
  room(): HostRoom {
    const now = this.#clock.now();
    const members = eligible(this.#links.members(now), now, this.#limits().silentAfterMs);
    return { addresses: members.reduce((sum, { slots }) => sum + slots, 0), batches: members.length * RUNNING_MAX };
  }

  send(instance: string, frame: ToHost): boolean {
    return this.#links.processes.send(instance, frame);
  }

  jobBegan(instance: string, jobId: string, addresses: number): void {
    this.#links.processes.jobBegan(instance, jobId, addresses);
  }

  jobEnded(instance: string, jobId: string): void {
    this.#links.processes.jobEnded(instance, jobId);
  }

  setUnresponsive(instance: string, isUnresponsive: boolean): void {
    const now = this.#clock.now();
    this.#links.processes.setUnresponsive(instance, isUnresponsive ? now + this.#limits().unresponsiveMs : now, now);
  }
}
