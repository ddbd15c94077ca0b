import type { LinkEvidence, MxRow, ToEdge } from '../../../schema/link.ts';
import { isJobIndex, type JobIndex } from '../../base/indexes.ts';
import { type Job, numberOf, ROWS_MAX } from './job.ts';

type EvidenceFrame = Pick<Extract<ToEdge, { type: 'evidence' }>, 'mx' | 'items'>;
/** What a host reported about one address of its job. */
export type Reported = { readonly index: JobIndex; readonly evidence: LinkEvidence; readonly isImplicit: boolean };

const WITH_MX = 1;
const WITHOUT = 2;

/**
 * A job's evidence, with its MX rows renumbered so that no two jobs of a batch share a number. Pure but for the job's
 * `rows`, which grow.
 * @returns the new rows, the evidence for addresses of the job with a known row, and how many items were neither
 */
export function renumber(
  { jobId, indexes, rows: known }: Pick<Job, 'jobId' | 'indexes' | 'rows'>,
  { mx, items }: EvidenceFrame,
): { readonly rows: readonly MxRow[]; readonly reported: readonly Reported[]; readonly dropped: number } {
  const base = numberOf(jobId) * ROWS_MAX;
  const fresh = mx.filter((row) => known[row.n] === 0 && (known[row.n] = row.mx.length > 0 ? WITH_MX : WITHOUT) > 0);
  const reported = items.flatMap(({ index, evidence }): Reported[] => {
    const mark = known[evidence.mx] ?? 0;
    if (mark === 0 || !isJobIndex(index, indexes.length)) return [];
    return [{ index, evidence: { ...evidence, mx: base + evidence.mx }, isImplicit: mark === WITHOUT }];
  });
  const rows = fresh.map((row) => ({ ...row, n: base + row.n }));
  return { rows, reported, dropped: items.length - reported.length };
}
