import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { Sink } from '../batch/batch-answer.ts';
import type { BatchServices } from '../batch/batch-services.ts';
import { FleetBatch } from '../batch/fleet-batch.ts';
import type { Member } from '../trust/roster.ts';
import { Capacity, type HostRoom, needsOf } from './capacity.ts';
import { createLineStream } from './line-stream.ts';

/** So many batches that nobody had room for, within so long, are no accident. */
const FULL = { times: 3, withinMs: 60_000 };

type Services = BatchServices & {
  /** Fleet objects that share the hosts. */
  readonly shards: number;
  /** Called for each batch: it was begun, or refused because there is no room for anybody. */
  readonly counted: (what: 'begun' | 'no_room') => void;
};

/** The batches of one Fleet object that are under way, by their ids. */
export class Batches {
  readonly #services: Services;
  readonly #batches = new Map<string, FleetBatch>();
  readonly #capacity: Capacity;
  /** When the last batches were refused for want of room. */
  #fullAtMs: readonly number[] = [];
  #isGathering = false;

  constructor(services: Services) {
    this.#services = services;
    this.#capacity = new Capacity(services.shards);
  }

  get(batchId: string): FleetBatch | null {
    return this.#batches.get(batchId) ?? null;
  }

  /**
   * Begins a batch, or moves the answer of one that is under way to a new stream. One for which there is no room is
   * answered with its last line at once.
   * @param hosts what the connected hosts can run at once
   */
  dispatch(job: FleetJob, hosts: () => HostRoom): ReadableStream {
    const { batchId } = job;
    const { stream, sink } = createLineStream((cancelled) => this.get(batchId)?.letGo(cancelled));
    const running = this.get(batchId);
    if (running !== null) running.attach(job, sink);
    else this.#begin(job, sink, hosts);
    return stream;
  }

  /** The link of a process broke, or (`forGood`) was ended. @param jobs those that it had */
  hostGone(instance: string, jobs: readonly string[], forGood: boolean): void {
    for (const batch of this.#of(jobs)) batch.hostGone(instance, forGood);
  }

  /** A process said hello. @param jobs those that it had, or says it has */
  hostBack(member: Member, jobs: readonly string[]): void {
    for (const batch of this.#of(jobs)) batch.hostBack(member);
  }

  /** Batches that seek a host look for one, a moment later: hosts often come and go together. */
  lookForHosts(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#services.clock.after(this.#services.limits().gatherMs, () => {
      this.#isGathering = false;
      for (const batch of this.#batches.values()) if (batch.seeks) batch.advance();
    });
  }

  #begin(job: FleetJob, sink: Sink, hosts: () => HostRoom): void {
    const { batchId } = job;
    const needs = needsOf(job);
    // One that is asked for again was let in before.
    const isRefused = job.again !== true && this.#refuse(needs, sink, hosts());
    if (isRefused) return;
    this.#capacity.reserve(needs);
    this.#services.counted('begun');
    const batch = new FleetBatch(job, sink, this.#services, () => {
      this.#batches.delete(batchId);
      this.#capacity.release(needs);
    });
    this.#batches.set(batchId, batch);
    batch.advance();
  }

  /** Answers a batch for which there is no room. @returns whether there is none */
  #refuse(needs: ReturnType<typeof needsOf>, sink: Sink, hosts: HostRoom): boolean {
    const unread = this.#unread();
    const lack = this.#capacity.lacks(needs, hosts, unread);
    if (lack === null) return false;
    if (lack === 'full') this.#noteFull(hosts);
    else this.#services.log('info', 'fleet_share', { batches: this.#batches.size, addresses: needs.addresses });
    sink.write([{ type: 'end', cause: lack, ofClass: this.#capacity.lacksAsClass(needs, hosts, unread) }]);
    sink.end();
    return true;
  }

  #noteFull(hosts: HostRoom): void {
    const { clock, log, counted } = this.#services;
    const now = clock.now();
    counted('no_room');
    this.#fullAtMs = [...this.#fullAtMs, now].filter((atMs) => now - atMs < FULL.withinMs).slice(-FULL.times);
    const capacity = this.#capacity;
    const { addresses } = capacity;
    const figures = { batches: this.#batches.size, addresses, room: capacity.partOf(hosts.addresses) };
    const isOutage = this.#fullAtMs.length === FULL.times;
    if (isOutage) log('warn', 'fleet_full', { why: 'no room: add a host', ...figures });
    else log('info', 'fleet_share', figures);
  }

  #of(jobs: readonly string[]): ReadonlySet<FleetBatch> {
    return new Set(jobs.flatMap((job) => this.get(batchOf(job)) ?? []));
  }

  #unread(): number {
    let unread = 0;
    for (const batch of this.#batches.values()) unread += batch.unread;
    return unread;
  }
}

/** The batch of a job. */
export function batchOf(jobId: string): string {
  return jobId.slice(0, jobId.lastIndexOf('.'));
}
