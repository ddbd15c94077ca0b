import type { MxRow, ToEdge } from '../../../schema/link.ts';
import { isJobIndex } from '../../base/indexes.ts';
import { type Job, numberOf, type Reported } from './job.ts';

/** The most addresses, and MX rows, that a job has. */
export const ROWS_MAX = 500;

type EvidenceFrame = Pick<Extract<ToEdge, { type: 'evidence' }>, 'mx' | 'items'>;

/**
 * A job's evidence under numbers of MX rows that no two jobs of a batch share. Pure but for `known`.
 * @param known which of the job's rows came before; grows
 * @returns the rows that are new, the evidence of addresses of the job whose row is known, and how much is neither
 */
export function renumber(
  { jobId, indexes }: Pick<Job, 'jobId' | 'indexes'>,
  { mx, items }: EvidenceFrame,
  known: Uint8Array,
): { readonly rows: readonly MxRow[]; readonly reported: readonly Reported[]; readonly dropped: number } {
  const base = numberOf(jobId) * ROWS_MAX;
  const fresh = mx.filter(({ n }) => known[n] === 0 && (known[n] = 1) === 1);
  const reported = items.flatMap(({ index, evidence }): Reported[] =>
    known[evidence.mx] === 1 && isJobIndex(index, indexes.length)
      ? [{ index, evidence: { ...evidence, mx: base + evidence.mx } }]
      : [],
  );
  return {
    rows: fresh.map((row) => ({ ...row, n: base + row.n })),
    reported,
    dropped: items.length - reported.length,
  };
}
