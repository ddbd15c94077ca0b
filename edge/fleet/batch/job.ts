import type { LinkEvidence } from '../../../schema/link.ts';
import type { HostRef } from '../trust/roster.ts';
import { type BatchIndex, type JobIndex, jobIndexes } from '../../base/indexes.ts';

/** Addresses of one batch that a host was asked about. */
export type Job = {
  readonly jobId: string;
  readonly to: HostRef;
  /** What its addresses are in the batch, by their index in the job. */
  readonly indexes: readonly BatchIndex[];
  /** Addresses that were not reported yet. */
  readonly open: Set<JobIndex>;
  /** Domains about which its evidence is doubtful, since its host last reached a mail server under this job. */
  readonly doubtfulDomains: Set<number>;
  /** Another host is there for what this one had better leave alone. */
  readonly mayDecline: boolean;
};

/** What a host reported about one address of its job. */
export type Reported = {
  readonly index: JobIndex;
  readonly evidence: LinkEvidence;
  /** The listed provider of its first MX host; null: any other. */
  readonly provider: string | null;
};

export function newJob(jobId: string, to: HostRef, indexes: readonly BatchIndex[], mayDecline: boolean): Job {
  return { jobId, to, indexes, open: new Set(jobIndexes(indexes.length)), doubtfulDomains: new Set(), mayDecline };
}

/** @throws Error for a place that the job does not have */
export function inBatch(job: Job, index: JobIndex): BatchIndex {
  const place = job.indexes[index];
  if (place === undefined) throw new Error('The job has no such address');
  return place;
}

/** Ids of jobs end in a number of at most three digits. */
const NUMBER_MAX = 999;

/** The ids of a batch's jobs: `<batch id>.<number>`, each used once. */
export class JobIds {
  readonly #batchId: string;
  #next = 1;

  constructor(batchId: string) {
    this.#batchId = batchId;
  }

  /** The id of the job that asks about the whole batch: the only one that a new object can take up again. */
  get first(): string {
    return `${this.#batchId}.1`;
  }

  /** No number is left. */
  get isUsedUp(): boolean {
    return this.#next > NUMBER_MAX;
  }

  /** The id that was used last. */
  get last(): string {
    return `${this.#batchId}.${this.#next - 1}`;
  }

  next(): string {
    const id = `${this.#batchId}.${this.#next}`;
    this.#next += 1;
    return id;
  }

  /** These were used, by an earlier object or under an earlier book: they are not used again. */
  skip(ids: readonly string[]): void {
    for (const id of ids) this.#next = Math.max(this.#next, 1 + numberOf(id));
  }
}

/** The number of a job in its batch. */
export function numberOf(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf('.') + 1));
}
