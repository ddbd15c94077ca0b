import type { MxRow, ToEdge } from '../../../schema/link.ts';
import { PROVIDER_NAMES, providerNameOf } from '../../../schema/providers.ts';
import { isJobIndex } from '../../base/indexes.ts';
import { type Job, numberOf, type Reported } from './job.ts';

/** The most addresses, and MX rows, that a job has. */
export const ROWS_MAX = 500;

type EvidenceFrame = Pick<Extract<ToEdge, { type: 'evidence' }>, 'mx' | 'items'>;

/**
 * A job's evidence under numbers of MX rows that no two jobs of a batch share. Pure but for `known`.
 * @param known of each row that came before 1, or 2 and more for the listed providers; grows
 * @returns the rows that are new, the evidence of addresses of the job whose row is known, and how much is neither
 */
export function renumber(
  { jobId, indexes }: Pick<Job, 'jobId' | 'indexes'>,
  { mx, items }: EvidenceFrame,
  known: Uint8Array,
): { readonly rows: readonly MxRow[]; readonly reported: readonly Reported[]; readonly dropped: number } {
  const base = numberOf(jobId) * ROWS_MAX;
  const fresh = mx.filter(({ n, mx: [host = ''] }) => known[n] === 0 && (known[n] = markOf(host)) > 0);
  const reported = items.flatMap(({ index, evidence }): Reported[] =>
    (known[evidence.mx] ?? 0) > 0 && isJobIndex(index, indexes.length)
      ? [{ index, evidence: { ...evidence, mx: base + evidence.mx }, provider: providerOf(known[evidence.mx] ?? 0) }]
      : [],
  );
  return {
    rows: fresh.map((row) => ({ ...row, n: base + row.n })),
    reported,
    dropped: items.length - reported.length,
  };
}

/** What is kept of a row: a byte. */
function markOf(host: string): number {
  return 2 + PROVIDER_NAMES.indexOf(providerNameOf(host) ?? '');
}

function providerOf(mark: number): string | null {
  return PROVIDER_NAMES[mark - 2] ?? null;
}
