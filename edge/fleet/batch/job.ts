import type { LinkEvidence } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { type BatchIndex, batchIndexes, isBatchIndex, type JobIndex, jobIndexes } from '../../base/indexes.ts';
import type { HostRef, Member } from '../trust/roster.ts';

/** Addresses that a host is to get. */
export type Assignment = {
  readonly to: Member;
  readonly indexes: readonly BatchIndex[];
  /** Nobody has said anything of them yet. */
  readonly isFirst: boolean;
};

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

type Given = Pick<Job, 'jobId' | 'to' | 'indexes' | 'mayDecline'>;

/** What a host reported about one address of its job. */
export type Reported = {
  readonly index: JobIndex;
  readonly evidence: LinkEvidence;
  /** The listed provider of its first MX host; null: any other. */
  readonly provider: string | null;
};

export function newJob(given: Given): Job {
  return { ...given, open: new Set(jobIndexes(given.indexes.length)), doubtfulDomains: new Set() };
}

/** @throws Error for a place that the job does not have */
export function inBatch(job: Job, index: JobIndex): BatchIndex {
  const place = job.indexes[index];
  if (place === undefined) throw new Error('The job has no such address');
  return place;
}

/** Ids of jobs end in a number of at most three digits. */
const NUMBER_MAX = 999;

/** The number of the job that asks about a whole batch: an object that knows nothing else of a batch can take it up again. */
export const WHOLE = 1;

/** A job that a host may have since before this object or this answer was. */
export type HeldJob = { readonly n: number; readonly indexes: readonly BatchIndex[] };

/**
 * The job of a batch that was asked for before whose host is looked for: the last part that the Worker was told of, or else
 * the whole. All others had what was answered, or what is asked anew.
 */
export function heldJob({ addresses, part }: Pick<FleetJob, 'addresses' | 'part'>): HeldJob {
  const size = addresses.length;
  if (part === undefined) return { n: WHOLE, indexes: batchIndexes(size) };
  return { n: part.n, indexes: part.indexes.filter((index) => isBatchIndex(index, size)) };
}

/** The ids of a batch's jobs: `<batch id>.<number>`, each used once. */
export class JobIds {
  readonly #batchId: string;
  #next = WHOLE;

  constructor(batchId: string) {
    this.#batchId = batchId;
  }

  /** No number is left. */
  get isUsedUp(): boolean {
    return this.#next > NUMBER_MAX;
  }

  /** The number that was used last. */
  get last(): number {
    return this.#next - 1;
  }

  of(number: number): string {
    return `${this.#batchId}.${number}`;
  }

  /** @param isWhole whether the job asks about the whole batch */
  next(isWhole: boolean): string {
    if (!isWhole) this.skip([WHOLE]);
    const id = this.of(this.#next);
    this.#next += 1;
    return id;
  }

  /** These were used, by an earlier object or under an earlier book, or are not to be: they are not used from now on. */
  skip(numbers: readonly number[]): void {
    for (const number of numbers) this.#next = Math.max(this.#next, 1 + number);
  }
}

/** The number of a job in its batch. */
export function numberOf(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf('.') + 1));
}
