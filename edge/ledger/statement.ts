import type { LedgerKind } from '../../schema/words/stored.ts';
import { RequestError } from '../../schema/errors.ts';
import { timeText } from '../base/time-text.ts';
import { shownKind } from './gift.ts';
import { placeText, readPlace } from './place.ts';

// The statement of an account: its ledger rows, newest first. A page reads its own rows and no others, however many the
// account has: the newest has the account's balance, each older one what the one above it left, and where a page ends
// the next one is told how much was there.

export type LedgerRow = {
  readonly refId: string;
  readonly kind: LedgerKind;
  readonly delta: number;
  readonly at: number;
  /** What the rows up to and with this one add up to. */
  readonly balance: number;
};
export type StatementPage = {
  readonly rows: readonly LedgerRow[];
  /** By what the next page is asked for; null on the last. */
  readonly next: string | null;
};

/** SQL: the rows of an account in the order of its statement, those behind a place or all. */
const inOrder = (columns: string, older: string): string => `
  SELECT ${columns} FROM ledger l WHERE l.account_id = ?1 ${older} ORDER BY l.at DESC, l.ref_id DESC, l.kind DESC`;

/** SQL: how much of a day was summed up when the books were closed. It grows whenever more of that day is. */
const summedOn = (day: string): string => `
  SELECT coalesce(sum(abs(s.delta)), 0) FROM ledger s
   WHERE s.account_id = ?1 AND s.kind IN ('hold', 'return') AND s.ref_id = ${day}`;

/**
 * SQL: a page, and one row more. `ending` is what was summed up of the day on which the page ends.
 * @param begun what is known where the page begins
 */
const rowsSql = (begun: string, older: string): string => {
  const lastDay = `(${inOrder(`date(l.at / 1000, 'unixepoch')`, older)} LIMIT 1 OFFSET ?2)`;
  const columns = `l.at, l.ref_id AS refId, l.kind, l.delta, (${begun}) AS begun, (${summedOn(lastDay)}) AS ending`;
  return `${inOrder(columns, older)} LIMIT ?2 + 2`;
};
const FIRST = rowsSql('SELECT balance FROM accounts WHERE id = ?1', '');
/** Nothing if the account has no such row: it was summed up, or is another account's. */
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
 * @param before the `next` of the page before it; undefined for the first
 * @throws RequestError INVALID_INPUT for another text, CONFLICT if the row that ended that page is not there, or the books of its day were closed since
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
