import { RUNNING_MAX, type ToHost } from '../../../schema/link.ts';
import type { FleetLimits } from '../batch/limits.ts';
import type { HostRecords } from '../trust/host-records.ts';
import { eligible, type HostRef, type Member } from '../trust/roster.ts';
import { UnansweredJobs } from '../trust/unanswered.ts';
import type { FleetServices, HostLinks } from '../trust/services.ts';
import type { HostRoom } from './capacity.ts';
import type { Links } from './links.ts';

/** The links as jobs need them: each look at the roster also tells the hosts' records what the links know. */
export class JobLinks implements HostLinks {
  readonly #links: Links;
  readonly #records: HostRecords;
  readonly #around: Pick<FleetServices, 'clock' | 'log'>;
  readonly #limits: () => FleetLimits;
  readonly #unanswered = new UnansweredJobs();

  constructor(
    links: Links,
    records: HostRecords,
    around: Pick<FleetServices, 'clock' | 'log'>,
    limits: () => FleetLimits,
  ) {
    this.#links = links;
    this.#records = records;
    this.#around = around;
    this.#limits = limits;
  }

  members(): readonly Member[] {
    const now = this.#around.clock.now();
    return this.#records
      .look(this.#links.members(now))
      .map((member) => (this.#unanswered.isUnresponsive(member, now) ? { ...member, unresponsive: true } : member));
  }

  jobLost({ host }: HostRef): void {
    if (this.#unanswered.note(host, this.#around.clock.now()))
      this.#around.log('warn', 'host_crashes', { host, why: 'it left jobs unanswered three times in ten minutes' });
  }

  /** What the hosts that take jobs can run at once. */
  room(): HostRoom {
    const members = eligible(this.#links.members(this.#around.clock.now()));
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
    this.#unanswered.avoid(instance, isUnresponsive ? this.#around.clock.now() + this.#limits().unresponsiveMs : null);
  }
}
