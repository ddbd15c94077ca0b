import { keepLatest } from '../../schema/keep-latest.ts';
import { Latest } from '../base/latest.ts';
import { ATTAINABLE, SPENDABLE } from './payer.ts';
import { persist } from './transient.ts';

// What an isolate remembers of accounts without enough credits: one 402 each, for a second, so that a caller that
// retries in a tight loop costs D1 nothing. Credits booked in this isolate clear it at once.

const KNOWN_FOR_MS = 1_000;
/** Beyond this many accounts the oldest entry is dropped. */
const ACCOUNTS_MAX = 10_000;
const PATIENCE_MS = 3_000;

/**
 * `attainable`: what would remain if every open batch of the account were refunded in full. Only a purchase raises it.
 */
export type Funds = { readonly remaining: number; readonly attainable: number };
/** D1's answer, asked at `askedMs`, to holding credits for this many addresses. */
type Shortage = Funds & { readonly addresses: number; readonly askedMs: number };
type Known = { shortage: Shortage | null; readonly latest: Latest<Funds> };

const byDatabase = new WeakMap<D1Database, Map<string, Known>>();

/**
 * The funds of an account that lacked credits a moment ago, for a request with no more addresses than the refused one:
 * a larger one may be refused for another reason. Null if nothing is known.
 */
export function knownShortage(db: D1Database, accountId: string, addresses: number, nowMs: number): Funds | null {
  const shortage = byDatabase.get(db)?.get(accountId)?.shortage ?? null;
  if (shortage === null || addresses > shortage.addresses) return null;
  return Math.abs(nowMs - shortage.askedMs) < KNOWN_FOR_MS ? shortage : null;
}

export function noteShortage(db: D1Database, accountId: string, shortage: Shortage): void {
  knownOf(db, accountId).shortage = shortage;
}

/** Credits were booked or held: a remembered shortage is out of date. */
export function forgetShortage(db: D1Database, accountId: string): void {
  byDatabase.get(db)?.delete(accountId);
}

const FUNDS = `SELECT ${SPENDABLE} AS remaining, ${ATTAINABLE} AS attainable FROM accounts a WHERE a.id = ?1`;

/**
 * The funds of an account, read from D1 no earlier than `sinceMs`: one read at a time, shared by all calls that wait
 * for it.
 * @throws what D1 throws
 */
export function fundsSince(
  db: D1Database,
  accountId: string,
  sinceMs: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Funds> {
  const read = async (): Promise<Funds> => {
    const [found] = await persist(2, () => db.batch<Funds>([db.prepare(FUNDS).bind(accountId)]));
    return found?.results[0] ?? { remaining: 0, attainable: 0 };
  };
  return knownOf(db, accountId).latest.get(sinceMs, read, waitUntil);
}

function knownOf(db: D1Database, accountId: string): Known {
  const accounts = byDatabase.get(db) ?? new Map<string, Known>();
  byDatabase.set(db, accounts);
  const found = accounts.get(accountId) ?? { shortage: null, latest: new Latest<Funds>(PATIENCE_MS) };
  if (!accounts.has(accountId)) keepLatest(accounts, accountId, found, ACCOUNTS_MAX);
  return found;
}
