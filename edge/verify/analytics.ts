import { namesOf } from '../../schema/words/open.ts';
import type { Reason } from '../../schema/words/reasons.ts';
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

/** As a dataset takes it. */
type Point = { readonly indexes: string[]; readonly blobs: string[]; readonly doubles: number[] };

/** The form of a point, its `blob1`: it says what its doubles are. A dataset takes 20 of them in a point. */
type Form = 'batch-1' | 'batch-1-more';

/**
 * Where each reason is counted: the form of the point and the number of its double. A place that was given is never
 * given to another; `double1` to `double3` of `batch-1` are credits, addresses and milliseconds. `batch-1` is full: the
 * next reason takes the first free double of `batch-1-more`.
 */
export const PLACES: Readonly<Record<Reason | 'none', readonly [form: Form, double: number]>> = {
  none: ['batch-1', 4],
  accept_all: ['batch-1', 5],
  connection_error: ['batch-1', 6],
  ehlo_rejected: ['batch-1', 7],
  greylisting: ['batch-1', 8],
  invalid_syntax: ['batch-1', 9],
  mail_from_rejected: ['batch-1', 10],
  mailbox_full: ['batch-1', 11],
  mx_private_ip: ['batch-1', 12],
  mx_unresolved: ['batch-1', 13],
  no_banner: ['batch-1', 14],
  no_mx: ['batch-1', 15],
  policy_rejected: ['batch-1', 16],
  protocol_error: ['batch-1', 17],
  provider_blocks_probe: ['batch-1', 18],
  timeout: ['batch-1', 19],
  unexpected_code: ['batch-1', 20],
};
const COLUMNS = namesOf(PLACES);

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

/** The points of one batch: one, and another if a reason was seen that is counted there. Pure. */
export function pointsOf({ accountId, charged, addresses, elapsedMs, reasons }: BatchFigures): readonly Point[] {
  const first = fill('batch-1', reasons, [charged, addresses, elapsedMs]);
  const more = fill('batch-1-more', reasons, []);
  return [
    { indexes: [accountId], blobs: ['batch-1'], doubles: first },
    ...(more.some((results) => results > 0) ? [{ indexes: [accountId], blobs: ['batch-1-more'], doubles: more }] : []),
  ];
}

/** The doubles of a form, behind those that come before the reasons. */
function fill(form: Form, reasons: ReasonCounts, before: readonly number[]): number[] {
  const doubles = [...before];
  for (const reason of COLUMNS) {
    const [at, double] = PLACES[reason];
    if (at === form) doubles[double - 1] = reasons[reason] ?? 0;
  }
  return Array.from(doubles, (results) => results ?? 0);
}

/** Writes the point of a batch if there is a dataset. Nothing waits for it, and nothing depends on it. */
export function writePoint(dataset: Env['ANALYTICS'], figures: BatchFigures): void {
  try {
    for (const point of pointsOf(figures)) dataset?.writeDataPoint(point);
  } catch (error) {
    log('warn', 'point_lost', describe(error));
  }
}
