import type { StatementRow } from '../../../schema/pages-api.ts';

// The statement as people read it: the requests of a list are one line, and so are others that follow each other closely,
// or single addresses would fill the page.

type Rows = [StatementRow, ...StatementRow[]];

/** One row of the ledger, or the holds and returns of several requests. Newest first, as the ledger is. */
export type StatementLine = {
  readonly rows: Readonly<Rows>;
  /** What the requests came to together; null for a row that is of no request, and stands by itself. */
  readonly verified: Verified | null;
};

export type Verified = {
  readonly requests: number;
  /** Of all requests: one that is in several counts in each. */
  readonly addresses: number;
  /** Credits taken in advance, and given back, by these rows. */
  readonly held: number;
  readonly returned: number;
  readonly isUnderWay: boolean;
};

/** Requests of no list that are further apart are lines of their own. */
const GAP_MS = 15 * 60_000;

/**
 * Each list as one line, where its newest row is, and neighbouring requests of one day that are of no list. Pure.
 * @param rows newest first
 */
export function linesOf(rows: readonly StatementRow[]): readonly StatementLine[] {
  const lists = listsAmong(rows);
  const lines: Rows[] = [];
  const byList = new Map<string, Rows>();
  let latest: Rows | undefined;
  for (const row of rows) {
    const list = lists.get(row.ref);
    const line = list === undefined ? latest : byList.get(list);
    if (line !== undefined && (list !== undefined || isClose(row, line))) line.push(row);
    else {
      const begun: Rows = [row];
      lines.push(begun);
      if (list === undefined) latest = begun;
      else byList.set(list, begun);
    }
  }
  return lines.map((line) => ({ rows: line, verified: line[0].batch === null ? null : verifiedBy(line) }));
}

/** The list of each request, by the request's id. A single request is not treated as a list. */
function listsAmong(rows: readonly StatementRow[]): ReadonlyMap<string, string> {
  const requests = new Map<string, Set<string>>();
  for (const { ref, batch } of rows) {
    const list = batch?.list ?? null;
    if (list !== null) requests.set(list, (requests.get(list) ?? new Set()).add(ref));
  }
  const several = [...requests].filter(([, refs]) => refs.size > 1);
  return new Map(several.flatMap(([list, refs]) => [...refs].map((ref) => [ref, list] as const)));
}

function isClose(older: StatementRow, line: Readonly<Rows>): boolean {
  const newer = line.at(-1) ?? line[0];
  if (older.batch === null || newer.batch === null) return false;
  const apart = Date.parse(newer.at) - Date.parse(older.at);
  return apart <= GAP_MS && new Date(newer.at).toDateString() === new Date(older.at).toDateString();
}

function verifiedBy(rows: Readonly<Rows>): Verified {
  const requests = new Map(rows.map(({ ref, batch }) => [ref, batch]));
  const sum = (kind: StatementRow['kind']): number =>
    rows.reduce((all, row) => (row.kind === kind ? all + Math.abs(row.delta) : all), 0);
  return {
    requests: requests.size,
    addresses: [...requests.values()].reduce((all, batch) => all + (batch?.addresses ?? 0), 0),
    held: sum('hold'),
    returned: sum('return'),
    isUnderWay: [...requests.values()].some((batch) => batch?.state === 'open'),
  };
}

export function deltaOf({ rows }: StatementLine): number {
  return rows.reduce((all, { delta }) => all + delta, 0);
}
