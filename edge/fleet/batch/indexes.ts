// An address has a number in its batch and another in each job that asks about it. Both count from 0, so they are types
// of their own: to take one for the other is a compile error.

declare const inBatch: unique symbol;
declare const inJob: unique symbol;

/** The place of an address in its batch: in `FleetJob.addresses`, and as `i` on the lines that answer it. */
export type BatchIndex = number & { readonly [inBatch]: true };
/** The place of an address in one job: hosts name it by this number. */
export type JobIndex = number & { readonly [inJob]: true };

/** @param size how many addresses the batch has */
export function isBatchIndex(index: number, size: number): index is BatchIndex {
  return Number.isInteger(index) && index >= 0 && index < size;
}

/** @param size how many addresses the job has */
export function isJobIndex(index: number, size: number): index is JobIndex {
  return Number.isInteger(index) && index >= 0 && index < size;
}

/** All of a batch, in its order. */
export function batchIndexes(size: number): readonly BatchIndex[] {
  return Array.from({ length: size }, (_, index) => index).filter((index) => isBatchIndex(index, size));
}

/** All of a job, in its order. */
export function jobIndexes(size: number): readonly JobIndex[] {
  return Array.from({ length: size }, (_, index) => index).filter((index) => isJobIndex(index, size));
}
