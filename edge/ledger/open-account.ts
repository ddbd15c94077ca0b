import { databaseName, databaseWith, type Home } from '../base/databases.ts';
import { describe, log } from '../base/log.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from './clock.ts';
import { giveGift } from './gift.ts';

// A new account is in the database that has the fewest. The directory names it, and what is still to be done there; so whoever
// meets the account next does that, if the Worker that opened it died in between.

const PATIENCE_MS = 1_000;

/** A database learns its number once. Under two numbers it would have accounts twice. */
const CLAIM = 'INSERT INTO database_number (id, number) VALUES (1, ?1) ON CONFLICT DO NOTHING';
const LOOK = `
  SELECT (SELECT number FROM database_number) AS number, (SELECT count(*) FROM accounts WHERE elsewhere IS NULL) AS accounts`;

type Looked = { readonly number: number; readonly accounts: number };

/**
 * The number that a database has by its own word, and how many accounts are in it.
 * @throws Error if it is another's: two bindings have one database
 */
export async function lookAtDatabase(db: D1Database, number: number): Promise<Looked> {
  const results = await within(
    PATIENCE_MS,
    db.batch<Looked>([db.prepare(CLAIM).bind(number), db.prepare(LOOK)]),
    `D1 DB ${databaseName(number)}`,
  );
  const [looked] = results[1]?.results ?? [];
  if (looked === undefined) throw new Error('a statement without a row');
  if (looked.number !== number)
    throw new Error(
      `${databaseName(number)} is bound to the database that ${databaseName(looked.number)} was bound to`,
    );
  return looked;
}

/** The number of the database for a new account. One that does not answer gets none. */
export async function emptiest({ all }: Pick<Home, 'all'>): Promise<number> {
  if (all.length === 1) return 0;
  // The directory first: of two bindings to it, it is the other one that is wrong.
  const [directory] = await Promise.allSettled(all.slice(0, 1).map(lookAtDatabase));
  const others = await Promise.allSettled(all.slice(1).map((db, at) => lookAtDatabase(db, at + 1)));
  const looks = [...(directory === undefined ? [] : [directory]), ...others];
  const there = looks.flatMap((look, number) => {
    if (look.status === 'fulfilled') return [look.value];
    log('error', 'database_unusable', { database: databaseName(number), ...describe(look.reason) });
    return [];
  });
  return there.toSorted((a, b) => a.accounts - b.accounts || a.number - b.number)[0]?.number ?? 0;
}

const WAITING = 'SELECT elsewhere, unopened FROM accounts WHERE id = ?1 AND unopened IS NOT NULL';
const OPEN = `INSERT INTO accounts (id, name, created_at) VALUES (?1, '', ${NOW_MS}) ON CONFLICT (id) DO NOTHING`;
const OPENED = 'UPDATE accounts SET unopened = NULL WHERE id = ?1';

/** Opens an account where the directory says, with its gift, unless that was done. @returns the number of its database */
export async function openThere(directory: Home, accountId: string, nowMs: number): Promise<number> {
  const { db } = directory;
  const waiting = await db.prepare(WAITING).bind(accountId).first<{ elsewhere: number; unopened: number }>();
  if (waiting === null) return 0;
  const { elsewhere: number, unopened: credits } = waiting;
  const there = databaseWith(directory, number);
  await lookAtDatabase(there, number);
  await there.batch([
    there.prepare(OPEN).bind(accountId),
    ...(credits > 0 ? giveGift(there, { accountId, credits, nowMs }) : []),
  ]);
  await db.prepare(OPENED).bind(accountId).run();
  return number;
}
