import type { BatchReport, JobReport } from '../../../schema/batch-report.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { type BatchOutcome, outcomeAfter } from './batch-outcome.ts';
import { type Job, numberOf } from './job.ts';

/** Jobs of a batch that are told of: the first, and its second opinions. A batch may have 999. */
const JOBS_MAX = 20;

/** Notes of one batch which host had which job, from when to when, how it ended, and what came of it all. */
export class BatchTimeline {
  readonly #id: string;
  readonly #spent: BatchReport['before'];
  readonly #addresses: number;
  readonly #beganAtMs: number;
  readonly #jobs = new Map<string, JobReport>();
  #all = 0;
  #outcome: BatchOutcome = 'no_host';

  constructor({ batchId, spent, addresses }: FleetJob, nowMs: number) {
    this.#id = batchId;
    this.#spent = spent ?? null;
    this.#addresses = addresses.length;
    this.#beganAtMs = nowMs;
  }

  /** What has come of the batch so far. */
  get outcome(): BatchOutcome {
    return this.#outcome;
  }

  /** Something came of a job. */
  came(next: BatchOutcome): void {
    this.#outcome = outcomeAfter(this.#outcome, next);
  }

  /** A job given to the same host again after its link broke began when it first was. */
  began({ jobId, to, indexes }: Job, nowMs: number): void {
    if (this.#jobs.has(jobId)) return;
    this.#all += 1;
    if (this.#jobs.size >= JOBS_MAX) return;
    this.#jobs.set(jobId, {
      job: numberOf(jobId),
      host: to.host,
      addresses: indexes.length,
      atMs: Math.max(0, nowMs - this.#beganAtMs),
      answeredMs: null,
      endedMs: null,
      end: null,
    });
  }

  answered({ jobId }: Job, nowMs: number): void {
    const known = this.#jobs.get(jobId);
    if (known?.answeredMs === null) this.#jobs.set(jobId, { ...known, answeredMs: this.#since(known, nowMs) });
  }

  ended({ jobId }: Job, end: string, nowMs: number): void {
    const known = this.#jobs.get(jobId);
    if (known?.end === null) this.#jobs.set(jobId, { ...known, end, endedMs: this.#since(known, nowMs) });
  }

  report(cause: string | null, nowMs: number): BatchReport {
    return {
      id: this.#id,
      atMs: this.#beganAtMs,
      addresses: this.#addresses,
      before: this.#spent,
      ms: Math.max(0, nowMs - this.#beganAtMs),
      outcome: this.#outcome,
      cause,
      jobs: [...this.#jobs.values()],
      jobsAll: this.#all,
    };
  }

  #since({ atMs }: JobReport, nowMs: number): number {
    return Math.max(0, nowMs - this.#beganAtMs - atMs);
  }
}
