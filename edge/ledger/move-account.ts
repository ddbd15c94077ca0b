import { databaseWith, type Home } from '../base/databases.ts';
import { newCallId } from '../base/call.ts';
import { NOW_MS } from './clock.ts';
import { type Claim, CLAIMED, copyRows, countRows, KEYS, takeRowsAway, TABLES } from './move-rows.ts';
import { lookAtDatabase } from './open-account.ts';
import { arrive, LOST_AFTER_MS, RELEASE, THAW, tidyUp } from './unfinished-move.ts';

// An account goes from one database to another:
//
// 1. claimed: the database that it comes to has a row of `moves`; what is left of an earlier copy goes away;
// 2. copied, all of it, while it is used, and what cannot change any more is counted and summed up in both;
// 3. frozen: `elsewhere` is set where it is, and from then on nothing about it changes there;
// 4. what may have changed meanwhile is copied again, and counted and summed up in both;
// 5. live: one statement clears `elsewhere` in the other database, if the claim still stands;
// 6. the directory learns it, and the rows that it left go away.
//
// Whoever is killed before 5 leaves an account that is where it was, at most frozen, and after 5 one that is where it went.
// The freeze is a lease: once it has ended, whoever meets the account first, a call of it too, takes the claim away and
// thaws it where it was (unfinished-move.ts). The claim's id stands in both databases, so that nobody thaws what another has
// frozen since, and a move whose claim is gone makes nothing live.

/** How long a freeze may last, by the try: the last one is for a machine on which nothing takes less. */
const LEASES_MS = [1_000, 1_000, 4_000, LOST_AFTER_MS] as const;

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
  /** The copies differed each time, or the freeze took too long: it is where it was. */
  | { readonly kind: 'gave_up' };

const DIRECTORY = 'SELECT coalesce(elsewhere, 0) AS number FROM accounts WHERE id = ?1';
/** In the directory the account has its row already. */
const MAKE_ROOM = `
  INSERT INTO accounts (id, name, created_at, elsewhere) VALUES (?1, '', ${NOW_MS}, ?2) ON CONFLICT (id) DO NOTHING`;
const CLAIM = `
  INSERT INTO moves (account_id, id, other, at) SELECT ?1, ?2, ?3, ${NOW_MS}
   WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND elsewhere IS NOT NULL)
      ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, other = excluded.other, at = excluded.at
         WHERE is_frozen = 0 AND (at < ${NOW_MS} - ${LOST_AFTER_MS} OR id = excluded.id) RETURNING id`;

/** A lease of ?4 milliseconds: its row is dated so that it is taken for lost when they are over. */
const LEASED = `${NOW_MS} - ${LOST_AFTER_MS} + CAST(?4 AS INTEGER)`;
const FREEZE = [
  `INSERT INTO moves (account_id, id, other, is_frozen, at) SELECT id, ?2, ?3, 1, ${LEASED} FROM accounts WHERE id = ?1 AND elsewhere IS NULL
       ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, other = excluded.other, is_frozen = 1, at = excluded.at`,
  'UPDATE accounts SET elsewhere = ?3 WHERE id = ?1 AND elsewhere IS NULL AND ?2 IS NOT NULL AND ?4 IS NOT NULL RETURNING id',
];
const MONEY = `
  SELECT json_array(balance, expires_at, proven, proven_to, low_balance_at, has_bought) AS money FROM accounts WHERE id = ?1`;
const GO_LIVE = `
  UPDATE accounts
     SET balance = ?3 ->> 0, expires_at = ?3 ->> 1, proven = ?3 ->> 2, proven_to = ?3 ->> 3, low_balance_at = ?3 ->> 4,
         has_bought = ?3 ->> 5, elsewhere = NULL, unopened = NULL
   WHERE id = ?1 AND elsewhere IS NOT NULL AND ${CLAIMED} RETURNING id`;

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
  const there = databaseWith(directory, to);
  await lookAtDatabase(there, to);
  const number = await directory.db.prepare(DIRECTORY).bind(accountId).first<number>('number');
  if (number === null) return { kind: 'unknown_account' };
  const from = await tidyUp(directory, accountId, number);
  if (from === null) return { kind: 'unknown_account' };
  if (typeof from !== 'number') return from;
  if (from === to) return { kind: 'already_there' };
  const crossing = {
    here: databaseWith(directory, from),
    there,
    claim: { accountId, id },
    numbers: [from, to] as const,
    lastsMs,
  };
  for (const leaseMs of LEASES_MS) {
    const ended = await cross(crossing, leaseMs);
    if (ended.kind === 'under_way') return { kind: 'under_way', to };
    if (ended.kind === 'differs') continue;
    await arrive(directory, accountId, crossing.numbers);
    return { ...ended, kind: 'moved', from, to };
  }
  await giveUp(crossing);
  return { kind: 'gave_up' };
}

type Crossing = {
  readonly here: D1Database;
  readonly there: D1Database;
  readonly claim: Claim;
  readonly numbers: readonly [from: number, to: number];
  readonly lastsMs: number;
};
type Crossed =
  | { readonly kind: 'live'; readonly rows: number; readonly frozenMs: number }
  /** The books were closed meanwhile, or the freeze was taken back: once more. */
  | { readonly kind: 'differs' }
  /** Somebody else moves it. */
  | { readonly kind: 'under_way' };

/** One try, from the claim to the moment in which the account is live in the other database, or here again. */
async function cross(crossing: Crossing, leaseMs: number): Promise<Crossed> {
  const { here, there, claim, lastsMs } = crossing;
  const { accountId, id } = claim;
  const [from, to] = crossing.numbers;
  const claimed = await there.batch([
    there.prepare(MAKE_ROOM).bind(accountId, from),
    there.prepare(CLAIM).bind(accountId, id, from),
  ]);
  if (claimed[1]?.results.length !== 1) return { kind: 'under_way' };
  const tables = to === 0 ? TABLES : [...TABLES, KEYS];
  const since = { atMs: Date.now() - lastsMs, batchId: newCallId(Date.now() - lastsMs).slice(0, 13) };
  const counts = async (which: 'old' | 'fresh'): Promise<readonly unknown[] | null> => {
    const [before, after] = await Promise.all(
      [here, there].map((db) => countRows(db, accountId, tables, [which, since])),
    );
    return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : null;
  };
  await takeRowsAway(there, claim, tables, CLAIMED);
  if (!(await copyRows([here, there], claim, tables, null))) return { kind: 'differs' };
  if ((await counts('old')) === null) return { kind: 'differs' };
  const frozenAtMs = Date.now();
  const frozen = await here.batch(FREEZE.map((text) => here.prepare(text).bind(accountId, id, to, leaseMs)));
  if (frozen[1]?.results.length !== 1) {
    await giveUp(crossing);
    return { kind: 'under_way' };
  }
  const isCopied = await copyRows([here, there], claim, tables, since);
  const fresh = isCopied ? await counts('fresh') : null;
  if (fresh !== null) {
    const money = await here.prepare(MONEY).bind(accountId).first<string>('money');
    const [live] = await there.batch([
      there.prepare(GO_LIVE).bind(accountId, id, money),
      there.prepare(RELEASE).bind(accountId, id),
    ]);
    if (live?.results.length === 1) return { kind: 'live', rows: rowsOf(fresh[0]), frozenMs: Date.now() - frozenAtMs };
  }
  // As long as the claim stands nobody else has made it live there, and without it nobody can.
  await here.batch(THAW.map((text) => here.prepare(text).bind(accountId, id)));
  return { kind: 'differs' };
}

/** Leaves nothing of the copy. */
async function giveUp({ there, claim, numbers: [, to] }: Crossing): Promise<void> {
  await takeRowsAway(there, claim, to === 0 ? TABLES : [...TABLES, KEYS], CLAIMED);
  await there.batch([there.prepare(RELEASE).bind(claim.accountId, claim.id)]);
}

function rowsOf(row: unknown): number {
  return typeof row === 'object' && row !== null && 'rows' in row ? Number(row.rows) : 0;
}
