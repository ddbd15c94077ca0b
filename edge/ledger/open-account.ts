import { databaseName, databaseWith, type Home } from '../base/databases.ts';
import { describe, log } from '../base/log.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from './clock.ts';
import { giveGift } from './gift.ts';

// A new account goes to the database with the fewest. The directory records it together with what is still to be done
// there; if the Worker that opens it dies in between, the next one to need the account finishes that.

const D1_TIMEOUT_MS = 1_000;

const COUNT = 'SELECT count(*) AS accounts FROM accounts WHERE database IS NULL';

/** The number of the database for a new account. One that does not answer is skipped. */
export async function emptiest({ all }: Pick<Home, 'all'>): Promise<number> {
  if (all.length === 1) return 0;
  const counted = await Promise.allSettled(
    all.map((db) => within(D1_TIMEOUT_MS, db.prepare(COUNT).first<number>('accounts'))),
  );
  const there = counted.flatMap((count, number) => {
    if (count.status === 'fulfilled') return [{ number, accounts: count.value ?? 0 }];
    log('error', 'database_unusable', { database: databaseName(number), ...describe(count.reason) });
    return [];
  });
  return there.toSorted((a, b) => a.accounts - b.accounts || a.number - b.number)[0]?.number ?? 0;
}

const WAITING = 'SELECT database, unopened FROM accounts WHERE id = ?1 AND unopened IS NOT NULL';
const OPEN = `INSERT INTO accounts (id, name, created_at) VALUES (?1, '', ${NOW_MS}) ON CONFLICT (id) DO NOTHING`;
const OPENED = 'UPDATE accounts SET unopened = NULL WHERE id = ?1';

/**
 * Opens an account, with its gift, where the directory says, unless that was done. @returns the number of its database
 */
export async function openThere(directory: Home, accountId: string, nowMs: number): Promise<number> {
  const { db } = directory;
  const waiting = await db.prepare(WAITING).bind(accountId).first<{ database: number; unopened: number }>();
  if (waiting === null) return 0;
  const { database: number, unopened: credits } = waiting;
  const there = databaseWith(directory, number);
  await there.batch([
    there.prepare(OPEN).bind(accountId),
    ...(credits > 0 ? giveGift(there, { accountId, credits, nowMs }) : []),
  ]);
  await db.prepare(OPENED).bind(accountId).run();
  return number;
}
