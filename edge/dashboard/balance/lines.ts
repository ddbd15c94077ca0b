import type { StatementRow } from '../../../schema/pages-api.ts';

// The statement as people read it. The ledger knows batches and not lists, so batches that follow each other closely are
// one line: a list, or whatever else was verified in one go.

/** One row of the ledger, or the holds and returns of several batches. Newest first, as the ledger is. */
export type StatementLine = {
  readonly rows: readonly [StatementRow, ...StatementRow[]];
  /** What the batches came to together; null for a row that is no batch's, and stands by itself. */
  readonly verified: Verified | null;
};

export type Verified = {
  readonly batches: number;
  readonly addresses: number;
  /** Credits taken in advance, and given back, by these rows. */
  readonly held: number;
  readonly returned: number;
  readonly isUnderWay: boolean;
};

/** Batches that are further apart are lines of their own. */
const GAP_MS = 15 * 60_000;

/**
 * Neighbouring batches of one day as one line each. Pure.
 * @param rows newest first
 */
export function linesOf(rows: readonly StatementRow[]): readonly StatementLine[] {
  const runs: [StatementRow, ...StatementRow[]][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && belongs(row, last)) run.push(row);
    else runs.push([row]);
  }
  return runs.map((run) => ({ rows: run, verified: run[0].batch === null ? null : verifiedBy(run) }));
}

function belongs(older: StatementRow, newer: StatementRow): boolean {
  if (older.batch === null || newer.batch === null) return false;
  const apart = Date.parse(newer.at) - Date.parse(older.at);
  return apart <= GAP_MS && new Date(newer.at).toDateString() === new Date(older.at).toDateString();
}

function verifiedBy(rows: readonly StatementRow[]): Verified {
  const batches = new Map(rows.map(({ ref, batch }) => [ref, batch]));
  const sum = (kind: StatementRow['kind']): number =>
    rows.reduce((all, row) => (row.kind === kind ? all + Math.abs(row.delta) : all), 0);
  return {
    batches: batches.size,
    addresses: [...batches.values()].reduce((all, batch) => all + (batch?.addresses ?? 0), 0),
    held: sum('hold'),
    returned: sum('return'),
    isUnderWay: [...batches.values()].some((batch) => batch?.state === 'open'),
  };
}

/** What a line changed in all. */
export function deltaOf({ rows }: StatementLine): number {
  return rows.reduce((all, { delta }) => all + delta, 0);
}
