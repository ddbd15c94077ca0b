import { NOW_MS } from './clock.ts';
import { beginsAfter, endTurn } from './turns.ts';

// A second look at the books: each account's balance must be the sum of its ledger rows. Every run of the cron reads a
// bounded number of rows, account by account, and goes on where the last one ended. The sum of an account's older rows
// is remembered with the time up to which it goes, so a look reads only what was booked since. After a week it is
// forgotten, and all rows are read again: a row that was altered or deleted later is found then.
//
// An account with more rows than a run may read takes several runs, one after the other, and is compared in the last:
// the rows of a busy one would otherwise grow faster than its turns come. By `ACCOUNT_RATE_LIMIT` none books as many in
// a minute as a run reads, so the others' turn comes. Rows are only added at the present time; closing the books moves
// rows within their day, and corrects the remembered sums (close-books.ts). In the directory, accounts that are in
// another database have neither credits nor rows.

export type Mismatch = { readonly accountId: string; readonly difference: number };

export type AuditBounds = {
  /** Ledger rows, or accounts without one, in a run. D1 counts up to five rows read for each. */
  readonly rows: number;
  /** New rows that make a new sum worth a write. Fewer are read again: a write costs as much as a thousand reads. */
  readonly worthOf: number;
};
const BOUNDS: AuditBounds = { rows: 3_900, worthOf: 50 };
/** For how long a sum is remembered. */
const KEPT_MS = 7 * 86_400_000;
/** Rows younger than this are not summed up: others may still be booked at the same time, or D1's clock be set back. */
const YOUNG_MS = 10_000;

/** Bound: ?1 rows, ?2 rows worth a write. The last account of a run is cut off, and left to the next, unless it fills it. */
const LOOK = `
  INSERT INTO checked_books (account_id, through, sum, difference, since)
  WITH seen AS MATERIALIZED (
    SELECT a.id, a.balance, coalesce(c.since, ${NOW_MS}) AS since, coalesce(c.sum, 0) AS sum,
           max(coalesce(c.through, 0), ${NOW_MS} - ${YOUNG_MS}) AS through, l.at, l.delta
      FROM accounts a
      LEFT JOIN checked_books c ON c.account_id = a.id AND c.since > ${NOW_MS} - ${KEPT_MS}
      LEFT JOIN ledger l ON l.account_id = a.id AND l.at >= coalesce(c.through, 0)
     WHERE a.id > ${beginsAfter('audit')}
     ORDER BY a.id, l.at LIMIT ?1),
  cut AS MATERIALIZED (
    SELECT count(*) = ?1 AS isCut, count(*) = ?1 AND min(id) = max(id) AS isFilled, max(id) AS id, max(at) AS at FROM seen),
  looked AS (
    SELECT seen.id, balance, since, sum, iif(isFilled, min(through, cut.at), through) AS through, seen.at, delta, isFilled
      FROM seen CROSS JOIN cut WHERE NOT isCut OR isFilled OR seen.id < cut.id)
  SELECT id, through, sum + coalesce(sum(delta) FILTER (WHERE at < through), 0),
         iif(isFilled, 0, balance - sum - coalesce(sum(delta), 0)) AS difference, since
    FROM looked GROUP BY id
  HAVING isFilled OR difference <> 0 OR count(*) FILTER (WHERE at < through) >= ?2 OR id = (SELECT max(id) FROM looked)
      ON CONFLICT (account_id) DO UPDATE
         SET through = excluded.through, sum = excluded.sum, difference = excluded.difference, since = excluded.since
  RETURNING account_id AS accountId, difference, through < ${NOW_MS} - ${YOUNG_MS} AS isBehind`;

/** `isBehind`: it has more rows than this run read. */
type Looked = Mismatch & { readonly isBehind: number };

/**
 * One run: compares the next accounts; after the last, it begins again with the first.
 * @returns those whose balance differs from the sum of their rows
 */
export async function audit(db: D1Database, { rows, worthOf }: AuditBounds = BOUNDS): Promise<readonly Mismatch[]> {
  const look = async (): Promise<readonly Looked[]> =>
    (await db.prepare(LOOK).bind(rows, worthOf).all<Looked>()).results;
  let looked = await look();
  if (looked.length === 0) {
    await endTurn(db, 'audit', '').run();
    looked = await look();
  }
  const last = looked
    .map(({ accountId }) => accountId)
    .toSorted()
    .at(-1);
  const isBehind = looked.some((one) => one.isBehind === 1);
  if (last !== undefined && !isBehind) await endTurn(db, 'audit', last).run();
  return looked.flatMap(({ accountId, difference }) => (difference === 0 ? [] : [{ accountId, difference }]));
}
