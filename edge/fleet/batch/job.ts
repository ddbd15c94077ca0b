import { type BatchIndex, isJobIndex, type JobIndex, jobIndexes } from '../../base/indexes.ts';
import type { HostRef } from '../trust/host.ts';

/**
 * Addresses of one batch that a host has on a lease. Times are the clock's milliseconds, null if nothing is awaited.
 */
export type Job = {
  readonly jobId: string;
  readonly to: HostRef;
  /** The places of its addresses in the batch, by their index in the job. */
  readonly indexes: readonly BatchIndex[];
  /** Addresses that have not been reported yet. */
  readonly open: Set<JobIndex>;
  /** Those of them that another host is asked about too; what this one reports still counts. */
  readonly doubted: Set<BatchIndex>;
  /** Which MX rows were written, by `renumber`. */
  readonly rows: Uint8Array;
  ackBy: number | null;
  reportBy: number;
  backBy: number | null;
};

/** The most addresses, and MX rows, that a job can have. */
export const ROWS_MAX = 500;
/** Ids of jobs end in a number of at most three digits. */
export const NUMBER_MAX = 999;

type Given = Pick<Job, 'jobId' | 'to' | 'indexes' | 'ackBy' | 'reportBy'>;

export function newJob(given: Given): Job {
  const open = new Set(jobIndexes(given.indexes.length));
  return { ...given, open, doubted: new Set(), rows: new Uint8Array(ROWS_MAX), backBy: null };
}

/** The number of a job in its batch: ids are `<batch id>.<number>`, each used once. */
export function numberOf(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf('.') + 1));
}

export function batchOf(jobId: string): string {
  return jobId.slice(0, jobId.lastIndexOf('.'));
}

/** The place of a job's address in the batch; null for one that it does not have. */
export function inBatch({ indexes }: Pick<Job, 'indexes'>, index: number): BatchIndex | null {
  return isJobIndex(index, indexes.length) ? (indexes[index] ?? null) : null;
}

export type Expiry = 'gone' | 'no_ack' | 'silent';

/** Why a lease has expired; null if it has not. Pure. */
export function whyExpired({ ackBy, reportBy, backBy }: Job, now: number): Expiry | null {
  if (backBy !== null) return now >= backBy ? 'gone' : null;
  if (ackBy !== null && now >= ackBy) return 'no_ack';
  return now >= reportBy ? 'silent' : null;
}
