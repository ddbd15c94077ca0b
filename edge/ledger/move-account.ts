import { databaseName, type Home } from '../base/databases.ts';
import { newCallId } from '../base/call.ts';
import { NOW_MS } from './clock.ts';
import { type Claim, CLAIMED, copyRows, countRows, KEYS, type Since, TABLES, takeRowsAway } from './move-rows.ts';
import { lookAtDatabase } from './open-account.ts';

// An account goes from one database to another:
//
// 1. claimed: the database that it comes to has a row of `moves`; what is left of an earlier copy goes away;
// 2. copied, all of it, while it is used;
// 3. frozen: `elsewhere` is set where it is, and from then on nothing about it changes there;
// 4. what may have changed meanwhile is copied again, and all rows are counted and summed up in both;
// 5. live: one statement clears `elsewhere` in the other database, if the claim still stands;
// 6. the directory learns it, and the rows that it left go away.
//
// Whoever is killed before 5 leaves an account that is where it was, at most frozen, and after 5 one that is where it went: the
// next move, or the cron, takes back or completes it. The claim's id stands in both databases, so that nobody thaws what
// another has frozen since.

/** A move that said nothing for this long was killed. */
const LOST_AFTER_MS = 30_000;
/** A turn of the cron that sums up old batches of the account in between makes the copies differ: then once more. */
const TRIES = 3;

export type Moved =
  | {
      readonly kind: 'moved';
      readonly from: number;
      readonly to: number;
      readonly rows: number;
      readonly frozenMs: number;
    }
  | { readonly kind: 'already_there' | 'unknown_account' }
  | { readonly kind: 'under_way'; readonly to: number }
  /** The copies differed each time: it is where it was. */
  | { readonly kind: 'gave_up' };

const DIRECTORY = 'SELECT coalesce(elsewhere, 0) AS number FROM accounts WHERE id = ?1';
const STATE = `
  SELECT a.elsewhere, m.id, m.is_frozen AS isFrozen, coalesce(m.at < ${NOW_MS} - ${LOST_AFTER_MS}, 1) AS isLost
    FROM accounts a LEFT JOIN moves m ON m.account_id = a.id WHERE a.id = ?1`;
/** In the directory the account has its row already. */
const MAKE_ROOM = `
  INSERT INTO accounts (id, name, created_at, elsewhere) VALUES (?1, '', ${NOW_MS}, ?2) ON CONFLICT (id) DO NOTHING`;
const CLAIM = `
  INSERT INTO moves (account_id, id, other, at) SELECT ?1, ?2, ?3, ${NOW_MS}
   WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND elsewhere IS NOT NULL)
      ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, other = excluded.other, at = excluded.at
         WHERE at < ${NOW_MS} - ${LOST_AFTER_MS} AND is_frozen = 0 RETURNING id`;
const RELEASE = 'DELETE FROM moves WHERE account_id = ?1 AND id = ?2 AND is_frozen = 0';

const FREEZE = [
  `INSERT INTO moves (account_id, id, other, is_frozen, at) SELECT id, ?2, ?3, 1, ${NOW_MS} FROM accounts WHERE id = ?1 AND elsewhere IS NULL
       ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, other = excluded.other, is_frozen = 1, at = excluded.at`,
  'UPDATE accounts SET elsewhere = ?3 WHERE id = ?1 AND elsewhere IS NULL RETURNING id',
];
const THAW = [
  `UPDATE accounts SET elsewhere = NULL WHERE id = ?1 AND ${CLAIMED}`,
  'DELETE FROM moves WHERE account_id = ?1 AND id = ?2',
];
const MONEY = `
  SELECT json_array(balance, expires_at, proven, proven_to, low_balance_at, has_bought) AS money FROM accounts WHERE id = ?1`;
const GO_LIVE = `
  UPDATE accounts
     SET balance = ?3 ->> 0, expires_at = ?3 ->> 1, proven = ?3 ->> 2, proven_to = ?3 ->> 3, low_balance_at = ?3 ->> 4,
         has_bought = ?3 ->> 5, elsewhere = NULL, unopened = NULL
   WHERE id = ?1 AND elsewhere IS NOT NULL AND ${CLAIMED} RETURNING id`;
const LEAD_ON = 'UPDATE accounts SET elsewhere = ?2 WHERE id = ?1 AND elsewhere IS NOT NULL';
const IS_LEFT = 'EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND elsewhere IS NOT NULL) AND ?2 IS NOT NULL';
const EMPTY = `UPDATE accounts SET balance = 0, proven = 0, proven_to = '' WHERE id = ?1 AND elsewhere IS NOT NULL`;
const FORGET = 'DELETE FROM moves WHERE account_id = ?1 AND is_frozen = 1';

type State = {
  readonly elsewhere: number | null;
  readonly id: string | null;
  readonly isFrozen: number | null;
  readonly isLost: number;
};

/**
 * Moves an account with all of its history to another database. Repeatable, from wherever an earlier move was killed.
 * @param lastsMs how long a batch may be under way
 * @throws what D1 throws, and Error for a number that no database has, or a database under two names
 */
export async function moveAccount(
  directory: Home,
  accountId: string,
  to: number,
  { id, lastsMs }: { readonly id: string; readonly lastsMs: number },
): Promise<Moved> {
  const there = databaseAt(directory, to);
  await lookAtDatabase(there, to);
  const number = await directory.db.prepare(DIRECTORY).bind(accountId).first<number>('number');
  if (number === null) return { kind: 'unknown_account' };
  const from = await tidyUp(directory, accountId, number);
  if (typeof from !== 'number') return from;
  if (from === to) return { kind: 'already_there' };
  const here = databaseAt(directory, from);
  const claim = { accountId, id };
  const [, claimed] = await there.batch([
    there.prepare(MAKE_ROOM).bind(accountId, from),
    there.prepare(CLAIM).bind(accountId, id, from),
  ]);
  if (claimed?.results.length !== 1) return { kind: 'under_way', to };
  const tables = to === 0 ? TABLES : [...TABLES, KEYS];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const since = { atMs: Date.now() - lastsMs, batchId: newCallId(Date.now() - lastsMs).slice(0, 13) };
    await there.batch(takeRowsAway(there, claim, tables, CLAIMED));
    if (!(await copyRows([here, there], claim, tables, null))) return { kind: 'under_way', to };
    const frozenAtMs = Date.now();
    const ended = await cross({ here, there, claim, to, tables, since });
    if (ended.kind === 'frozen_by_another') {
      await there.batch([...takeRowsAway(there, claim, tables, CLAIMED), there.prepare(RELEASE).bind(accountId, id)]);
      return { kind: 'under_way', to };
    }
    if (ended.kind === 'live') {
      const frozenMs = Date.now() - frozenAtMs;
      await complete(directory, accountId, from, to);
      return { kind: 'moved', from, to, rows: ended.rows, frozenMs };
    }
  }
  await there.batch([...takeRowsAway(there, claim, tables, CLAIMED), there.prepare(RELEASE).bind(accountId, id)]);
  return { kind: 'gave_up' };
}

function databaseAt({ all }: Home, number: number): D1Database {
  const db = all[number];
  if (db === undefined) throw new Error(`there is no database ${databaseName(number)}`);
  return db;
}

type Crossing = {
  readonly here: D1Database;
  readonly there: D1Database;
  readonly claim: Claim;
  readonly to: number;
  readonly tables: typeof TABLES;
  readonly since: Since;
};

/** From the freeze to the moment in which the account is live in the other database, or here again. */
async function cross({
  here,
  there,
  claim,
  to,
  tables,
  since,
}: Crossing): Promise<
  { readonly kind: 'live'; readonly rows: number } | { readonly kind: 'differs' | 'frozen_by_another' }
> {
  const { accountId, id } = claim;
  const frozen = await here.batch(FREEZE.map((text) => here.prepare(text).bind(accountId, id, to)));
  if (frozen[1]?.results.length !== 1) return { kind: 'frozen_by_another' };
  const isCopied = await copyRows([here, there], claim, tables, since);
  const [before, after] = await Promise.all([countRows(here, accountId, tables), countRows(there, accountId, tables)]);
  if (isCopied && JSON.stringify(before) === JSON.stringify(after)) {
    const money = await here.prepare(MONEY).bind(accountId).first<string>('money');
    const [live] = await there.batch([
      there.prepare(GO_LIVE).bind(accountId, id, money),
      there.prepare(RELEASE).bind(accountId, id),
    ]);
    if (live?.results.length === 1)
      return { kind: 'live', rows: before.reduce((sum: number, row) => sum + rowsOf(row), 0) };
    return { kind: 'frozen_by_another' };
  }
  await here.batch(THAW.map((text) => here.prepare(text).bind(accountId, id)));
  return { kind: 'differs' };
}

function rowsOf(row: unknown): number {
  return typeof row === 'object' && row !== null && 'rows' in row ? Number(row.rows) : 0;
}

/** The account is live where it went. */
async function complete(directory: Home, accountId: string, from: number, to: number): Promise<void> {
  const { db } = directory;
  // From elsewhere to elsewhere: the directory and what it left lead on to where it is now.
  if (to > 0) await db.batch([db.prepare(LEAD_ON).bind(accountId, to)]);
  const left = databaseAt(directory, from);
  const tables = from === 0 ? TABLES : [...TABLES, KEYS];
  await left.batch([
    left.prepare(LEAD_ON).bind(accountId, to),
    ...takeRowsAway(left, { accountId, id: '' }, tables, IS_LEFT),
    left.prepare(EMPTY).bind(accountId),
    left.prepare(FORGET).bind(accountId),
  ]);
}

/**
 * Completes or takes back what a move left that was killed.
 * @param number where the directory says that the account is
 * @returns where it is live
 */
async function tidyUp(directory: Home, accountId: string, number: number): Promise<number | Moved> {
  const state = await readState(databaseAt(directory, number), accountId);
  if (state === null) return { kind: 'unknown_account' };
  const { elsewhere, id, isFrozen } = state;
  if (elsewhere === null) return number;
  const other = await readState(databaseAt(directory, elsewhere), accountId);
  if (other?.elsewhere === null) return resolve(directory, accountId, { from: number, to: elsewhere, id: id ?? '' });
  // Of the two that do not have it, the one that was frozen had it.
  if (isFrozen === 1) return resolve(directory, accountId, { from: number, to: elsewhere, id: id ?? '' });
  return resolve(directory, accountId, { from: elsewhere, to: number, id: other?.id ?? '' });
}

function readState(db: D1Database, accountId: string): Promise<State | null> {
  return db.prepare(STATE).bind(accountId).first<State>();
}

type Left = { readonly from: number; readonly to: number; readonly id: string };

/** Of an account that is not live in the database `from`, where the move with this id has frozen it. */
async function resolve(directory: Home, accountId: string, { from, to, id }: Left): Promise<number | Moved> {
  const [here, there] = [databaseAt(directory, from), databaseAt(directory, to)];
  const copy = await readState(there, accountId);
  if (copy !== null && copy.elsewhere !== null && copy.id !== null && copy.isLost === 0)
    return { kind: 'under_way', to };
  // Whoever held the claim cannot go live without it; so what they froze may be used again.
  const [, read] = await there.batch<State>([
    there.prepare(RELEASE).bind(accountId, id),
    there.prepare(STATE).bind(accountId),
  ]);
  const [now] = read?.results ?? [];
  if (now?.elsewhere === null) {
    await complete(directory, accountId, from, to);
    return to;
  }
  await here.batch(THAW.map((text) => here.prepare(text).bind(accountId, id)));
  const thawed = await readState(here, accountId);
  return thawed?.elsewhere === null ? from : { kind: 'under_way', to };
}

const LEFT = `
  SELECT account_id AS accountId, id, other, is_frozen AS isFrozen FROM moves
   WHERE at < ${NOW_MS} - ${LOST_AFTER_MS} ORDER BY account_id LIMIT 20`;

/**
 * One turn of the cron: completes or takes back what moves left in one database that were killed.
 * @returns the accounts
 */
export async function tidyUpMoves(directory: Home, number: number): Promise<readonly string[]> {
  const db = databaseAt(directory, number);
  const { results } = await db
    .prepare(LEFT)
    .all<{ readonly accountId: string; readonly id: string; readonly other: number; readonly isFrozen: number }>();
  for (const { accountId, id, other, isFrozen } of results) {
    if (isFrozen === 1) {
      await resolve(directory, accountId, { from: number, to: other, id });
      continue;
    }
    const source = await readState(databaseAt(directory, other), accountId);
    if (source?.isFrozen === 1 && source.id === id)
      await resolve(directory, accountId, { from: other, to: number, id });
    // A copy that nobody completes.
    await db.batch([
      ...takeRowsAway(db, { accountId, id }, number === 0 ? TABLES : [...TABLES, KEYS], CLAIMED),
      db.prepare(RELEASE).bind(accountId, id),
    ]);
  }
  return results.map(({ accountId }) => accountId);
}
