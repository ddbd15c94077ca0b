import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { Sink } from '../batch/batch-answer.ts';
import { FleetBatch } from '../batch/fleet-batch.ts';
import { batchOf } from '../batch/job.ts';
import type { BatchEvents, FleetServices } from '../batch/services.ts';
import type { Member } from '../trust/host.ts';
import { Capacity, type Needs, needsOf } from './capacity.ts';
import { type ComparisonSettings, Comparisons } from './comparisons.ts';

type Settings = {
  /** Fleet objects that share the hosts. */
  readonly shards: number;
  readonly comparisons: ComparisonSettings;
  /** Called for each batch: it was begun, or refused because the fleet is full. */
  readonly counted: (what: 'begun' | 'no_room') => void;
  readonly ended: BatchEvents['ended'];
};

/** The batches in progress of one Fleet object, by id, including those that compare hosts. */
export class Batches {
  readonly #services: FleetServices;
  readonly #settings: Settings;
  readonly #batches = new Map<string, FleetBatch>();
  readonly #comparisons: Comparisons;
  readonly #capacity: Capacity;
  #isGathering = false;

  constructor(services: FleetServices, settings: Settings) {
    this.#services = services;
    this.#settings = settings;
    this.#comparisons = new Comparisons(services, settings.comparisons);
    this.#capacity = new Capacity(settings.shards);
  }

  /** The batch of a job; null: there is none, or it has ended. */
  of(jobId: string): FleetBatch | null {
    const batchId = batchOf(jobId);
    return this.#batches.get(batchId) ?? this.#comparisons.get(batchId);
  }

  /**
   * Begins a batch. One for which there is no room gets its last line at once.
   * @param slots addresses that the connected hosts can run at once
   * @throws Error for an id that is used already
   */
  dispatch(job: FleetJob, sink: Sink, slots: () => number): void {
    if (this.#batches.has(job.batchId)) throw new Error('Batch id used twice');
    const needs = needsOf(job);
    if (!this.#refuse(needs, sink, slots())) this.#begin(job, needs, sink);
  }

  /** The answer to a batch is no longer wanted. */
  letGo(batchId: string): void {
    this.#batches.get(batchId)?.letGo();
  }

  /** The link of a process broke, or (`forGood`) was closed. @param jobs those that it had */
  hostGone(instance: string, jobs: readonly string[], forGood: boolean): void {
    for (const batch of this.#of(jobs)) batch.hostGone(instance, forGood);
  }

  /** A process said hello. @param jobs those that it had @param running those that it is running */
  hostBack(member: Member, jobs: readonly string[], running: readonly string[]): void {
    for (const batch of this.#of(jobs)) batch.hostBack(member, running);
  }

  /** Batches that need a host look for one, a moment later: hosts often come and go together. */
  lookForHosts(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#services.clock.after(this.#services.limits().gatherMs, () => {
      this.#isGathering = false;
      for (const batch of [...this.#batches.values(), ...this.#comparisons.all]) if (batch.seeks) batch.advance();
    });
  }

  #begin(job: FleetJob, needs: Needs, sink: Sink): void {
    const { counted, ended } = this.#settings;
    this.#capacity.take(needs);
    counted('begun');
    const events: BatchEvents = { settled: (settled) => this.#comparisons.offer(settled), ended };
    const batch = new FleetBatch(job, sink, this.#services, events, () => {
      this.#batches.delete(job.batchId);
      this.#capacity.giveBack(needs);
    });
    this.#batches.set(job.batchId, batch);
    batch.advance();
  }

  /** Refuses a batch for which there is no room. @returns whether it did */
  #refuse(needs: Needs, sink: Sink, slots: number): boolean {
    const size = this.#capacity.sizeOf(slots, this.#unread());
    const lack = this.#capacity.lacks(needs, size);
    if (lack === null) return false;
    if (lack === 'full') this.#settings.counted('no_room');
    const figures = { batches: this.#batches.size, inUse: this.#capacity.total, room: size };
    if (lack === 'full') this.#services.log('warn', 'fleet_full', { why: 'no room: add a host', ...figures });
    else this.#services.log('info', 'fleet_share', figures);
    sink.write([{ type: 'end', cause: lack }]);
    sink.end();
    return true;
  }

  #of(jobs: readonly string[]): ReadonlySet<FleetBatch> {
    return new Set(jobs.flatMap((job) => this.of(job) ?? []));
  }

  #unread(): number {
    let unread = 0;
    for (const batch of this.#batches.values()) unread += batch.unread;
    return unread;
  }
}
