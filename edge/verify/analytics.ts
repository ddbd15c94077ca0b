import { type Reason, REASONS } from '../../schema/words/reasons.ts';
import type { Env } from '../base/env.ts';
import { describe, log } from '../base/log.ts';
import type { Element } from './judge.ts';

// Counts of results for trends over months, where the deployment has a dataset: one point for each batch. It has no
// address and no domain. It may be sampled, so nothing is ever charged by it.

/** Results by reason, each slot of its own; `none` are those without one. */
export type ReasonCounts = Readonly<Partial<Record<Reason | 'none', number>>>;

/** Of which a point tells. */
export type BatchFigures = {
  readonly accountId: string;
  /** Credits. */
  readonly charged: number;
  /** Distinct addresses. */
  readonly addresses: number;
  readonly elapsedMs: number;
  readonly reasons: ReasonCounts;
};

/** What a point's blob says of the order of its doubles. */
const FORM = 'batch-1';
/** In the order of the doubles behind the first three: `double4` is `none`. A dataset takes 20 doubles. */
const COLUMNS: ReadonlyArray<Reason | 'none'> = ['none', ...REASONS];

/** Adds elements to counts; one that is not a result counts nowhere. Pure. */
export function countReasons(elements: readonly Element[], before: ReasonCounts = {}): ReasonCounts {
  const counts = { ...before };
  for (const element of elements) {
    if (!('reason' in element)) continue;
    const reason = element.reason ?? 'none';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** The point of one batch: `double1` charged, `double2` addresses, `double3` milliseconds, then the results by reason. Pure. */
export function pointOf({ accountId, charged, addresses, elapsedMs, reasons }: BatchFigures) {
  return {
    indexes: [accountId],
    blobs: [FORM],
    doubles: [charged, addresses, elapsedMs, ...COLUMNS.map((reason) => reasons[reason] ?? 0)],
  };
}

/** Writes the point of a batch if there is a dataset. Nothing waits for it, and nothing depends on it. */
export function writePoint(dataset: Env['ANALYTICS'], figures: BatchFigures): void {
  try {
    dataset?.writeDataPoint(pointOf(figures));
  } catch (error) {
    log('warn', 'point_lost', describe(error));
  }
}
