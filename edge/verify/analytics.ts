import type { Reason } from '../../schema/words/reasons.ts';
import type { Env } from '../base/env.ts';
import { describe, log } from '../base/log.ts';
import type { Element } from './judge.ts';

// Counts of results for trends over months, if the deployment has a dataset: a point for each batch, and one for each
// reason in it. They contain no address and no domain. The dataset may be sampled, so nothing is ever charged by it.

/** Results by reason, one per slot; `none` counts those without a reason. */
export type ReasonCounts = Readonly<Partial<Record<Reason | 'none', number>>>;

/** What the points of a batch are made from. */
export type BatchFigures = {
  readonly accountId: string;
  /** Credits. */
  readonly charged: number;
  /** Distinct addresses. */
  readonly addresses: number;
  readonly elapsedMs: number;
  readonly reasons: ReasonCounts;
};

/** The form that a dataset takes. */
type Point = { readonly indexes: string[]; readonly blobs: string[]; readonly doubles: number[] };

/** Adds elements to counts, leaving out those that are not results. Pure. */
export function countReasons(elements: readonly Element[], before: ReasonCounts = {}): ReasonCounts {
  const counts = { ...before };
  for (const element of elements) {
    if (!('reason' in element)) continue;
    const reason = element.reason ?? 'none';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** One point for the batch (credits, addresses, milliseconds), and one for each reason with its results. Pure. */
export function pointsOf({ accountId, charged, addresses, elapsedMs, reasons }: BatchFigures): readonly Point[] {
  const indexes = [accountId];
  const ofReasons = Object.entries(reasons).map(([reason, results]) => ({
    indexes,
    blobs: [reason],
    doubles: [results],
  }));
  return [{ indexes, blobs: ['batch'], doubles: [charged, addresses, elapsedMs] }, ...ofReasons];
}

/** Writes the points of a batch if there is a dataset. Nothing waits for it, and nothing depends on it. */
export function writePoint(dataset: Env['ANALYTICS'], figures: BatchFigures): void {
  try {
    for (const point of pointsOf(figures)) dataset?.writeDataPoint(point);
  } catch (error) {
    log('warn', 'point_lost', describe(error));
  }
}
