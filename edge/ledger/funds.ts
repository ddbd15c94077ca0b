import { keepLatest } from '../../schema/keep-latest.ts';
import { Latest } from '../base/latest.ts';
import { Refusals } from '../base/refusals.ts';
import { ATTAINABLE, SPENDABLE } from './payer.ts';
import { persist } from './transient.ts';

// What an isolate remembers of accounts without enough credits: one 402 each, for a second, so that a caller that
// retries in a tight loop costs D1 nothing. Credits booked in this isolate clear it at once.

const KNOWN_FOR_MS = 1_000;
/** Of accounts; the oldest go first. */
const READINGS_MAX = 1_000;
const D1_TIMEOUT_MS = 3_000;

/**
 * `attainable`: what would remain if every open batch of the account were refunded in full. Only a purchase raises it.
 */
export type Funds = { readonly remaining: number; readonly attainable: number };
/** D1's answer, asked at `askedMs`, to holding credits for this many addresses. */
type Shortage = Funds & { readonly addresses: number; readonly askedMs: number };

type Known = { readonly shortages: Refusals<Shortage>; readonly readings: Map<string, Latest<Funds>> };
const byDatabase = new WeakMap<D1Database, Known>();

function knownOf(db: D1Database): Known {
  const known = byDatabase.get(db) ?? { shortages: new Refusals<Shortage>(), readings: new Map() };
  byDatabase.set(db, known);
  return known;
}

/**
 * The funds of an account that lacked credits a moment ago, for a request with no more addresses than the refused one:
 * a larger one may be refused for another reason. Null if nothing is known.
 */
export function knownShortage(db: D1Database, accountId: string, addresses: number, nowMs: number): Funds | null {
  const shortage = knownOf(db).shortages.find(accountId, '', nowMs)?.value ?? null;
  return shortage === null || addresses > shortage.addresses ? null : shortage;
}

export function noteShortage(db: D1Database, accountId: string, shortage: Shortage): void {
  knownOf(db).shortages.remember(accountId, '', shortage, shortage.askedMs + KNOWN_FOR_MS);
}

/** Credits were booked or held: a remembered shortage is out of date. */
export function forgetShortage(db: D1Database, accountId: string): void {
  const { shortages, readings } = knownOf(db);
  shortages.forget(accountId);
  readings.delete(accountId);
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
  const { readings } = knownOf(db);
  const latest = readings.get(accountId) ?? new Latest<Funds>(D1_TIMEOUT_MS);
  keepLatest(readings, accountId, latest, READINGS_MAX);
  return latest.get(sinceMs, read, waitUntil);
}
