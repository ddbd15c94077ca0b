import type { LinkEvidence } from '../../schema/link.ts';
import { type BatchIndex, isBatchIndex, isJobIndex } from '../base/indexes.ts';
import type { Reported } from '../fleet/batch/job-rows.ts';

const MANY = 500;

/** Indexes in a batch. */
export function at(...indexes: readonly number[]): readonly BatchIndex[] {
  return indexes.filter((index) => isBatchIndex(index, MANY));
}

/** What a host reports of one address, by its index in the job. */
export function one(index: number, evidence: LinkEvidence, isImplicit = false): readonly Reported[] {
  return isJobIndex(index, MANY) ? [{ index, evidence, isImplicit }] : [];
}
