import { Latest } from '../base/latest.ts';
import { type ClassedFunds, type Funds, readFunds } from './hold.ts';

// What an isolate knows of accounts that lack credits, so that a caller who asks again and again costs D1 nothing: by
// the isolate's one database. An account that gets credits in this isolate is forgotten at once, and what D1 said holds
// for a second, so that credits booked anywhere else are seen by then.

const KNOWN_FOR_MS = 1_000;
/** How long it stays likely: then one read for all of the account's calls is tried before the hold of each. */
const LIKELY_FOR_MS = 10_000;
/** Of more accounts than these the one that came first is forgotten. */
const ACCOUNTS_MAX = 10_000;
const PATIENCE_MS = 3_000;

/** What D1 said when it was asked at `askedMs` to hold credits for this many addresses. */
type Shortage = Funds & { readonly addresses: number; readonly askedMs: number };
type Known = { shortage: Shortage | null; readonly latest: Latest<ClassedFunds> };

const byDatabase = new WeakMap<D1Database, Map<string, Known>>();

/**
 * What is known to be the most that an account has, for a request of no more addresses than the one that was refused:
 * a larger one may be refused for another reason. `isFresh`: nobody has to be asked. Null if nothing is known.
 */
export function knownShortage(
  db: D1Database,
  accountId: string,
  addresses: number,
  nowMs: number,
): (Funds & { readonly isFresh: boolean }) | null {
  const shortage = byDatabase.get(db)?.get(accountId)?.shortage ?? null;
  if (shortage === null || addresses > shortage.addresses) return null;
  const { remaining, attainable, askedMs } = shortage;
  const ageMs = Math.abs(nowMs - askedMs);
  return ageMs < LIKELY_FOR_MS ? { remaining, attainable, isFresh: ageMs < KNOWN_FOR_MS } : null;
}

export function noteShortage(db: D1Database, accountId: string, shortage: Shortage): void {
  knownOf(db, accountId).shortage = shortage;
}

/** Credits were booked: what is known of the account no longer holds. */
export function forgetShortage(db: D1Database, accountId: string): void {
  byDatabase.get(db)?.delete(accountId);
}

/**
 * What an account has, as D1 says from `sinceMs` on: one read at a time, however many of the account's calls wait for it.
 * @throws what D1 throws
 */
export function fundsSince(
  db: D1Database,
  accountId: string,
  sinceMs: number,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<ClassedFunds> {
  return knownOf(db, accountId).latest.get(sinceMs, () => readFunds(db, accountId), waitUntil);
}

function knownOf(db: D1Database, accountId: string): Known {
  const accounts = byDatabase.get(db) ?? new Map<string, Known>();
  byDatabase.set(db, accounts);
  const found = accounts.get(accountId) ?? { shortage: null, latest: new Latest<ClassedFunds>(PATIENCE_MS) };
  accounts.set(accountId, found);
  for (const [first] of accounts) {
    if (accounts.size <= ACCOUNTS_MAX) break;
    accounts.delete(first);
  }
  return found;
}
