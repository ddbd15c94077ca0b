import { databaseWith, type Home } from '../base/databases.ts';
import { NOW_MS } from './clock.ts';
import { CLAIMED, KEYS, TABLES, takeRowsAway } from './move-rows.ts';

// What becomes of a move that was killed, or that takes too long: it is taken back, or completed if the account is live where it
// went (move-account.ts). The next move does it, the cron, and a call that meets the account when its freeze has ended.

/** A move that said nothing for this long was killed. */
export const LOST_AFTER_MS = 30_000;

const STATE = `
  SELECT a.elsewhere, m.id, m.is_frozen AS isFrozen, coalesce(m.at < ${NOW_MS} - ${LOST_AFTER_MS}, 1) AS isLost
    FROM accounts a LEFT JOIN moves m ON m.account_id = a.id WHERE a.id = ?1`;
export const RELEASE = 'DELETE FROM moves WHERE account_id = ?1 AND id = ?2 AND is_frozen = 0';
/** Its row stays: the cron finds by it what was copied. */
const REVOKE = `UPDATE moves SET id = '', at = 0 WHERE account_id = ?1 AND id = ?2 AND is_frozen = 0`;
export const THAW = [
  `UPDATE accounts SET elsewhere = NULL WHERE id = ?1 AND ${CLAIMED} AND EXISTS (
     SELECT 1 FROM moves WHERE account_id = ?1 AND is_frozen = 1)`,
  'DELETE FROM moves WHERE account_id = ?1 AND id = ?2 AND is_frozen = 1',
];
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
type UnderWay = { readonly kind: 'under_way'; readonly to: number };

/** The directory, and what the account left, lead on to where it is now. */
async function leadOn(directory: Home, accountId: string, [from, to]: readonly [number, number]): Promise<void> {
  const { db } = directory;
  if (to > 0) await db.batch([db.prepare(LEAD_ON).bind(accountId, to)]);
  const left = databaseWith(directory, from);
  await left.batch([left.prepare(LEAD_ON).bind(accountId, to)]);
}

/** What an account left that is live elsewhere goes away. */
async function clear(directory: Home, accountId: string, number: number): Promise<void> {
  const left = databaseWith(directory, number);
  await takeRowsAway(left, { accountId, id: '' }, number === 0 ? TABLES : [...TABLES, KEYS], IS_LEFT);
  await left.batch([EMPTY, FORGET].map((text) => left.prepare(text).bind(accountId)));
}

/** The account is live where it went. */
export async function arrive(directory: Home, accountId: string, [from, to]: readonly [number, number]): Promise<void> {
  await leadOn(directory, accountId, [from, to]);
  await clear(directory, accountId, from);
}

/**
 * Completes or takes back what a move left that was killed.
 * @param number where the directory says that the account is
 * @param isQuick whether what it left stays for now, because a caller waits
 * @returns where it is live; null if it is not there
 */
export async function tidyUp(
  directory: Home,
  accountId: string,
  number: number,
  isQuick = false,
): Promise<number | UnderWay | null> {
  const state = await readState(databaseWith(directory, number), accountId);
  if (state === null) return null;
  const { elsewhere, isFrozen } = state;
  if (elsewhere === null) return number;
  const other = await readState(databaseWith(directory, elsewhere), accountId);
  // Of two that do not have it, the one that was frozen had it.
  return isFrozen === 1 || other?.elsewhere === null
    ? resolve(directory, accountId, { from: number, to: elsewhere, state }, isQuick)
    : resolve(directory, accountId, { from: elsewhere, to: number, state: other }, isQuick);
}

function readState(db: D1Database, accountId: string): Promise<State | null> {
  return db.prepare(STATE).bind(accountId).first<State>();
}

/** `state`: in `from`, which the account left, or which it was about to leave. */
type Left = { readonly from: number; readonly to: number; readonly state: State | null };

async function resolve(
  directory: Home,
  accountId: string,
  { from, to, state }: Left,
  isQuick: boolean,
): Promise<number | UnderWay> {
  const [here, there] = [databaseWith(directory, from), databaseWith(directory, to)];
  const id = state?.id ?? '';
  // Whoever held the claim cannot go live without it; so, once their time is over, what they froze may be used again.
  const isOver = state?.isFrozen !== 1 || state.isLost === 1;
  const [, read] = await there.batch<State>([
    there.prepare(REVOKE).bind(accountId, isOver ? id : null),
    there.prepare(STATE).bind(accountId),
  ]);
  const [now] = read?.results ?? [];
  if (now?.elsewhere === null) {
    await (isQuick ? leadOn : arrive)(directory, accountId, [from, to]);
    return to;
  }
  const number = await numberOf(directory, accountId);
  // It arrived, and has gone on from there: or is about to.
  if (now?.isFrozen === 1 || number !== (from === 0 ? to : from)) {
    if (!isQuick) await clear(directory, accountId, from);
    return number;
  }
  if (!isOver) return { kind: 'under_way', to };
  await here.batch(THAW.map((text) => here.prepare(text).bind(accountId, id)));
  const thawed = await readState(here, accountId);
  return thawed?.elsewhere === null ? from : { kind: 'under_way', to };
}

const NUMBER = 'SELECT elsewhere FROM accounts WHERE id = ?1';

/** Where the directory says that an account is. */
async function numberOf({ db }: Home, accountId: string): Promise<number> {
  return (await db.prepare(NUMBER).bind(accountId).first<number>('elsewhere')) ?? 0;
}

/**
 * For whoever meets an account that is in no database: ends the freeze if its time is over, or finds where it went.
 * @returns the number of the database to ask then
 * @throws what D1 throws
 */
export async function endFreeze(directory: Home, accountId: string): Promise<number> {
  const number = await numberOf(directory, accountId);
  const found = await tidyUp(directory, accountId, number, true);
  return typeof found === 'number' ? found : number;
}

const LEFT = `
  SELECT account_id AS accountId, id, other, is_frozen AS isFrozen FROM moves
   WHERE at < ${NOW_MS} - ${LOST_AFTER_MS} ORDER BY account_id LIMIT 20`;
type Row = { readonly accountId: string; readonly id: string; readonly other: number; readonly isFrozen: number };

/**
 * One turn of the cron: completes or takes back what moves left in one database that were killed.
 * @returns the accounts
 */
export async function tidyUpMoves(directory: Home, number: number): Promise<readonly string[]> {
  const db = databaseWith(directory, number);
  const { results } = await db.prepare(LEFT).all<Row>();
  for (const { accountId, id, other, isFrozen } of results) {
    const [from, to] = isFrozen === 1 ? [number, other] : [other, number];
    const state = await readState(databaseWith(directory, from), accountId);
    if (state?.isFrozen === 1 && state.id === id) await resolve(directory, accountId, { from, to, state }, false);
    if (isFrozen === 1) continue;
    // A copy that nobody completes, now without a claim.
    const left = { accountId, id: state?.isFrozen === 1 && state.id === id ? '' : id };
    await takeRowsAway(db, left, number === 0 ? TABLES : [...TABLES, KEYS], CLAIMED);
    await db.batch([db.prepare(RELEASE).bind(accountId, left.id)]);
  }
  return results.map(({ accountId }) => accountId);
}
