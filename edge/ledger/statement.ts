import type { LedgerKind } from '../../schema/words/stored.ts';
import { RequestError } from '../../schema/errors.ts';
import { timeText } from '../base/time-text.ts';
import { shownKind } from './gift.ts';
import { placeText, readPlace } from './place.ts';

// The statement of an account: its ledger rows, newest first. A page reads only its own rows, however many the account
// has: the newest row has the account's balance, each older one what the row above it left, and the place at which a
// page ends carries the balance for the next one.

export type LedgerRow = {
  readonly refId: string;
  readonly kind: LedgerKind;
  readonly delta: number;
  readonly at: number;
  /** The sum of the rows up to and including this one. */
  readonly balance: number;
};
export type StatementPage = {
  readonly rows: readonly LedgerRow[];
  /** What to ask for the next page with; null on the last. */
  readonly next: string | null;
};

/** SQL: the rows of an account in the statement's order, those after a place or all. */
const inOrder = (columns: string, older: string): string => `
  SELECT ${columns} FROM ledger l WHERE l.account_id = ?1 ${older} ORDER BY l.at DESC, l.ref_id DESC, l.kind DESC`;

/** SQL: how much of a day has been summed up by closing the books. It grows as more of that day is closed. */
const summedOn = (day: string): string => `
  SELECT coalesce(sum(abs(s.delta)), 0) FROM ledger s
   WHERE s.account_id = ?1 AND s.kind IN ('hold', 'return') AND s.ref_id = ${day}`;

/**
 * SQL: a page, and one row more. `ending` is what was summed up of the day on which the page ends.
 * @param begun SQL for what is known where the page begins
 */
const rowsSql = (begun: string, older: string): string => {
  const lastDay = `(${inOrder(`date(l.at / 1000, 'unixepoch')`, older)} LIMIT 1 OFFSET ?2)`;
  const columns = `l.at, l.ref_id AS refId, l.kind, l.delta, (${begun}) AS begun, (${summedOn(lastDay)}) AS ending`;
  return `${inOrder(columns, older)} LIMIT ?2 + 2`;
};
const FIRST = rowsSql('SELECT balance FROM accounts WHERE id = ?1', '');
/** Empty if the account has no such row: it was summed up, or belongs to another account. */
const STANDS = `iif(EXISTS (SELECT 1 FROM ledger p WHERE p.account_id = ?1 AND p.ref_id = ?4 AND p.kind = ?5 AND p.at = ?3),
  (${summedOn(`date(?3 / 1000, 'unixepoch')`)}), NULL)`;
const NEXT = rowsSql(`SELECT ${STANDS}`, 'AND (l.at, l.ref_id, l.kind) < (?3, ?4, ?5)');

/** A row as its readers see it. */
export function shownRow({ at, kind, refId, delta, balance }: LedgerRow) {
  return { at: timeText(at), kind: shownKind({ kind, refId }), ref: refId, delta, balance };
}

type Found = Omit<LedgerRow, 'balance'> & { readonly begun: number | null; readonly ending: number };

/**
 * One page of an account's statement.
 * @param limit rows, 1 or more
 * @param before the `next` of the previous page; undefined for the first
 * @throws RequestError INVALID_INPUT for any other text, CONFLICT if the row that ended that page is gone, or the books
 * of its day were closed since
 */
export async function readStatement(
  db: D1Database,
  accountId: string,
  limit: number,
  before?: string,
): Promise<StatementPage> {
  const place = before === undefined ? null : readPlace(before);
  if (before !== undefined && place === null)
    throw new RequestError('INVALID_INPUT', 'before: must be the "next" of an earlier page.');
  const statement =
    place === null
      ? db.prepare(FIRST).bind(accountId, limit - 1)
      : db.prepare(NEXT).bind(accountId, limit - 1, place.at, place.refId, place.kind);
  const { results } = await statement.all<Found>();
  const [newest] = results;
  if (newest === undefined) return { rows: [], next: null };
  if (place !== null && newest.begun !== place.summed)
    throw new RequestError('CONFLICT', 'The statement was summed up meanwhile. Start again from its first page.');
  let balance = place?.balance ?? newest.begun ?? 0;
  const rows: LedgerRow[] = [];
  for (const { at, refId, kind, delta } of results.slice(0, limit)) {
    rows.push({ refId, kind, delta, at, balance });
    balance -= delta;
  }
  const last = rows.at(-1);
  const isLast = last === undefined || results.length <= limit;
  return { rows, next: isLast ? null : placeText({ ...last, balance, summed: newest.ending }) };
}
