import type { AccountClass } from '../../schema/shares.ts';
import { NOW_MS, TODAY } from './clock.ts';
import { ATTAINABLE, CLASS, IN_FLIGHT, KEY_ID, SPENDABLE, stands } from './payer.ts';
import { persist } from './transient.ts';

// Key proven, credits taken, batch opened: one round trip, one transaction. Each statement looks at what stands and
// not at what the one before it did, so that the whole is safe to repeat under the same batch id. Only if no batch was
// opened a second round trip tries again and asks, in the same transaction, why not: a key or credits that are not
// there, too much under way, or a batch that was opened before.

export type HoldRequest = {
  readonly batchId: string;
  /** Hash of the API key. */
  readonly keyHash: string;
  /** Whether D1 is to note that the key was used today; it need not be told twice in a day. */
  readonly markUsed: boolean;
  /** More than 0. */
  readonly credits: number;
  /** How many addresses the batch probes. */
  readonly addresses: number;
  /** How many of an account's may be under way, this batch's included; 0 for no bound. */
  readonly maxInFlight: number;
  /** From now until a sweep may return it: batch deadline plus grace. */
  readonly lastsMs: number;
};

/** Whose the key is. */
export type Owned = { readonly accountId: string; readonly accountClass: AccountClass };

export type HoldAnswer =
  /** `keyId`: by which name the key's use is counted. `day`: today by D1's clock, in whole days since 1970 UTC. */
  | (Owned & { readonly kind: 'held'; readonly keyId: string; readonly day: number })
  | { readonly kind: 'unknown_key' }
  /** `inFlight`: addresses of the account's open batches. */
  | (Owned & { readonly kind: 'too_many_in_flight'; readonly inFlight: number })
  | (Owned & Funds & { readonly kind: 'too_few_credits'; readonly needed: number });

/** `attainable`: what would remain if every open batch of the account came back whole. Only a purchase raises it. */
export type Funds = { readonly remaining: number; readonly attainable: number };
export type ClassedFunds = Funds & Pick<Owned, 'accountClass'>;

export type KeyProof = Owned & { readonly remaining: number };

const OPEN = `
  INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at)
  SELECT ?1, a.id, ?2, ?5, ${NOW_MS}, ${NOW_MS} + ?3
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE ${stands('?4')} AND ${SPENDABLE} >= ?2 AND (?6 = 0 OR ?5 + ${IN_FLIGHT} <= ?6)
      ON CONFLICT (id) DO NOTHING
  RETURNING account_id AS accountId, ${TODAY} AS day, (SELECT ${KEY_ID} FROM api_keys k WHERE k.hash = +?4) AS keyId,
            (SELECT ${CLASS} FROM accounts a WHERE a.id = account_id) AS accountClass`;

/** The ledger's row is written right after, and its absence is what lets the balance move: once. For the plus see `stands`. */
export const TAKE = `
  UPDATE accounts SET balance = balance - h.credits
    FROM holds h
   WHERE h.id = +?1 AND accounts.id = h.account_id
     AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.account_id = h.account_id AND l.ref_id = h.id AND l.kind = 'hold')`;

export const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT account_id, id, 'hold', -credits, opened_at FROM holds WHERE id = ?1
      ON CONFLICT (account_id, ref_id, kind) DO NOTHING`;

export const MARK_USED = `UPDATE api_keys SET last_used_day = ${TODAY} WHERE hash = ?1 AND last_used_day < ${TODAY}`;

const PROVE = `
  SELECT a.id AS accountId, ${CLASS} AS accountClass, ${SPENDABLE} AS remaining
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE ${stands('?1')}`;

const FUNDS = `
  SELECT ${CLASS} AS accountClass, ${SPENDABLE} AS remaining, ${ATTAINABLE} AS attainable FROM accounts a WHERE a.id = ?1`;

const WHY = `
  SELECT a.id AS accountId, ${CLASS} AS accountClass, ${KEY_ID} AS keyId, ${SPENDABLE} AS remaining, ${TODAY} AS day, h.id IS NOT NULL AS held,
         ${IN_FLIGHT} AS inFlight, ${ATTAINABLE} AS attainable
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    LEFT JOIN holds h ON h.id = +?2 AND h.account_id = a.id
   WHERE ${stands('?1')}`;

type Opened = Owned & { readonly keyId: string; readonly day: number };
type Why = Opened & {
  readonly remaining: number;
  readonly held: number;
  readonly inFlight: number;
  readonly attainable: number;
};

/**
 * Takes a batch's credits, whole or not at all.
 * @throws what D1 throws; then the hold may stand all the same: settle it or leave it to the sweep
 */
export async function hold(db: D1Database, request: HoldRequest): Promise<HoldAnswer> {
  const [opened] = await persist(2, () => db.batch<Opened>(opening(db, request)));
  const [batch] = opened?.results ?? [];
  if (batch !== undefined) return { kind: 'held', ...batch };

  const { keyHash, batchId, credits, addresses, maxInFlight } = request;
  const why = db.prepare(WHY).bind(keyHash, batchId);
  const results = await persist(2, () => db.batch<Why>([...opening(db, request), why]));
  const [found] = results.at(-1)?.results ?? [];
  if (found === undefined) return { kind: 'unknown_key' };
  const { accountId, accountClass, keyId, day, remaining, held, inFlight, attainable } = found;
  if (held === 1) return { kind: 'held', accountId, accountClass, keyId, day };
  if (maxInFlight > 0 && addresses + inFlight > maxInFlight)
    return { kind: 'too_many_in_flight', accountId, accountClass, inFlight };
  if (remaining < credits)
    return { kind: 'too_few_credits', accountId, accountClass, remaining, attainable, needed: credits };
  throw new Error('The batch id belongs to another account');
}

function opening(db: D1Database, request: HoldRequest): D1PreparedStatement[] {
  const { batchId, keyHash, markUsed, credits, addresses, maxInFlight, lastsMs } = request;
  return [
    db.prepare(OPEN).bind(batchId, credits, lastsMs, keyHash, addresses, maxInFlight),
    db.prepare(TAKE).bind(batchId),
    db.prepare(WRITE).bind(batchId),
    ...(markUsed ? [db.prepare(MARK_USED).bind(keyHash)] : []),
  ];
}

/** What an account may spend, now and if each of its open batches came back whole; nothing of one that is not there. */
export async function readFunds(db: D1Database, accountId: string): Promise<ClassedFunds> {
  const [found] = await persist(2, () => db.batch<ClassedFunds>([db.prepare(FUNDS).bind(accountId)]));
  return found?.results[0] ?? { accountClass: 'free', remaining: 0, attainable: 0 };
}

/** Whose key it is and what the account may spend, for calls that cost nothing; null for a key that is not there. */
export async function proveKey(db: D1Database, keyHash: string): Promise<KeyProof | null> {
  const results = await persist(2, () =>
    db.batch<KeyProof>([db.prepare(MARK_USED).bind(keyHash), db.prepare(PROVE).bind(keyHash)]),
  );
  const [proof] = results.at(-1)?.results ?? [];
  return proof ?? null;
}
