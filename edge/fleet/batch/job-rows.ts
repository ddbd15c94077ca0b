import type { LinkEvidence, MxRow, ToEdge } from '../../../schema/link.ts';

/** A job has at most so many addresses, and so many MX rows. */
export const ROWS_MAX = 500;

type News = Pick<Extract<ToEdge, { type: 'evidence' }>, 'mx' | 'items'>;

/**
 * A job's evidence under numbers of MX rows that no two jobs of a batch share. Pure but for `known`.
 * @param known which of the job's rows came before; grows
 * @param attempt the job's number in its batch
 * @returns the rows that are new, the evidence whose row is known, and how much named none
 */
export function renumber(
  { mx, items }: News,
  known: Uint8Array,
  attempt: number,
): {
  readonly rows: readonly MxRow[];
  readonly items: ReadonlyArray<{ readonly index: number; readonly evidence: LinkEvidence }>;
  readonly missed: number;
} {
  const base = attempt * ROWS_MAX;
  const fresh = mx.filter(({ n }) => known[n] === 0 && (known[n] = 1) === 1);
  const told = items.filter(({ evidence }) => known[evidence.mx] === 1);
  return {
    rows: fresh.map((row) => ({ ...row, n: base + row.n })),
    items: told.map(({ index, evidence }) => ({ index, evidence: { ...evidence, mx: base + evidence.mx } })),
    missed: items.length - told.length,
  };
}
