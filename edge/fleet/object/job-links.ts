import { RUNNING_MAX, type ToHost } from '../../../schema/link.ts';
import type { HostRecords } from '../trust/host-records.ts';
import { eligible, type Member } from '../trust/roster.ts';
import type { HostLinks } from '../trust/services.ts';
import type { HostRoom } from './capacity.ts';
import type { Links } from './links.ts';

/** The links as jobs need them: each look at the roster also tells the hosts' records what the links know. */
export class JobLinks implements HostLinks {
  readonly #links: Links;
  readonly #records: HostRecords;
  readonly #now: () => number;

  constructor(links: Links, records: HostRecords, now: () => number) {
    this.#links = links;
    this.#records = records;
    this.#now = now;
  }

  members(): readonly Member[] {
    return this.#records.look(this.#links.members(this.#now()));
  }

  /** What the hosts that take jobs can run at once. */
  room(): HostRoom {
    const members = eligible(this.#links.members(this.#now()));
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
}
