import type { AccountClass } from '../../schema/account-class.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { type Attempt, CLAIM, OPEN_ATTEMPT, WHY_NOT_ATTEMPT } from './attempt.ts';
import { type Cap, CAP_FACTS, CAP_LEFT, type CapFacts, capAgainst } from './caps.ts';
import { readBits, writeBits } from './charged-bits.ts';
import { NOW_MS, TODAY } from './clock.ts';
import type { Funds } from './funds.ts';
import { ATTAINABLE, CLASS, hasRoom, IN_FLIGHT, KEY_ID, SPENDABLE, keyIsValid } from './payer.ts';
import { persist } from './transient.ts';

// Key proven, credits taken, batch opened: one round trip, one transaction. Each statement looks at the stored state
// and not at what the one before it did, so that the whole is safe to repeat under the same batch id. Only if no batch
// was opened does a second round trip try again and ask, in the same transaction, why: an unknown key, too few credits,
// too many addresses in flight, or a batch opened before. An Idempotency-Key adds one statement (attempt.ts).

export type HoldRequest = {
  readonly batchId: string;
  readonly keyHash: string;
  /** Whether D1 is to record that the key was used today; once a day is enough. */
  readonly markUsed: boolean;
  /** More than 0; with an attempt D1 finds out how many of them are due, and 0 is allowed. */
  readonly credits: number;
  /** How many addresses the batch probes. */
  readonly addresses: number;
  /** How many entries the request has; if absent, one for each address. */
  readonly entries?: number;
  /** How many addresses of the account may be in flight, this batch's included; 0 for no limit. */
  readonly maxInFlight: number;
  /** The same for an account that never bought credits, if different. */
  readonly maxInFlightFree?: number;
  /** From now until a sweep may return it: batch deadline plus grace. */
  readonly lastsMs: number;
  /** Set for a request with an Idempotency-Key. */
  readonly attempt?: Attempt | undefined;
};

/** The owner of the key. */
export type Owned = { readonly accountId: string; readonly accountClass: AccountClass };
/** What earlier requests with the same Idempotency-Key paid for. */
type Charged = { readonly charged: ReadonlySet<SlotIndex> };

export type HoldAnswer =
  /**
   * `keyId`: the name under which the key's use is counted. `day`: today by D1's clock, in whole days since 1970 UTC.
   * With 0 `credits`, because everything was charged before, there is no hold.
   */
  | (Owned &
      Charged & { readonly kind: 'held'; readonly keyId: string; readonly day: number; readonly credits: number })
  | { readonly kind: 'unknown_key' }
  /** `inFlight`: addresses of the account's open batches. */
  | (Owned & Charged & { readonly kind: 'too_many_in_flight'; readonly inFlight: number })
  | (Owned & Charged & Funds & { readonly kind: 'too_few_credits'; readonly needed: number })
  | (Owned & Charged & { readonly kind: 'capped'; readonly needed: number; readonly cap: Cap })
  | (Owned & { readonly kind: 'another_body' })
  /** `ageMs`: how long the request that has the Idempotency-Key has been in progress. */
  | (Owned & { readonly kind: 'in_progress'; readonly ageMs: number })
  /** `leftMs`: until the Idempotency-Key is forgotten. */
  | (Owned & Charged & { readonly kind: 'too_many_attempts'; readonly leftMs: number });

export type KeyProof = Owned & { readonly remaining: number };

// Bound: ?1 batch, ?2 credits, ?3 duration of the hold, ?4 hash of the API key, ?5 addresses, ?6 limits in flight as
// `[bought, free]` (JSON), ?7 entries.
const OPEN = `
  INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at, key_id, entries)
  SELECT ?1, a.id, ?2, ?5, ${NOW_MS}, ${NOW_MS} + ?3, ${KEY_ID}, ?7
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE ${keyIsValid('?4')} AND ${SPENDABLE} >= ?2 AND ${CAP_LEFT} >= ?2 AND ${hasRoom('?5', '?6')}
      ON CONFLICT (id) DO NOTHING
  RETURNING account_id AS accountId, ${TODAY} AS day, key_id AS keyId,
            (SELECT ${CLASS} FROM accounts a WHERE a.id = account_id) AS accountClass, credits, '' AS charged`;

/**
 * The ledger row is written right after, and its absence lets the balance move only once. For the plus see `keyIsValid`.
 */
const TAKE = `
  UPDATE accounts SET balance = balance - h.credits
    FROM holds h
   WHERE h.id = +?1 AND accounts.id = h.account_id
     AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.account_id = h.account_id AND l.ref_id = h.id AND l.kind = 'hold')`;

const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT account_id, id, 'hold', -credits, opened_at FROM holds WHERE id = ?1
      ON CONFLICT (account_id, ref_id, kind) DO NOTHING`;

const MARK_USED = `UPDATE api_keys SET last_used_day = ${TODAY} WHERE hash = ?1 AND last_used_day < ${TODAY}`;

const PROVE = `
  SELECT a.id AS accountId, ${CLASS} AS accountClass, ${SPENDABLE} AS remaining
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE ${keyIsValid('?1')}`;

/** Bound: ?1 batch, ?2 credits, ?3 hash of the API key. */
const WHY_NOT = `
  SELECT a.id AS accountId, ${CLASS} AS accountClass, ${KEY_ID} AS keyId, ${TODAY} AS day, ${SPENDABLE} AS remaining,
         ${ATTAINABLE} AS attainable, ${CAP_FACTS}, ${IN_FLIGHT} AS inFlight, ?2 AS needed, '' AS charged, h.id IS NOT NULL AS held,
         coalesce(h.credits, 0) AS credits, NULL AS ageMs, 0 AS isAnotherBody, NULL AS leftMs
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    LEFT JOIN holds h ON h.id = +?1 AND h.account_id = a.id
   WHERE ${keyIsValid('?3')}`;

type Held = Owned & {
  readonly keyId: string;
  readonly day: number;
  readonly credits: number;
  /** Bits. */
  readonly charged: string;
};
type Why = Held &
  Funds &
  CapFacts & {
    readonly inFlight: number;
    readonly needed: number;
    readonly held: number;
    readonly ageMs: number | null;
    readonly isAnotherBody: number | null;
    readonly leftMs: number | null;
  };

/**
 * Takes a batch's credits, or those of the elements not charged yet: all or none.
 * @param isDoubtful a refusal is likely, so the first trip already asks for its reason
 * @throws what D1 throws; the hold may be open all the same: settle it or leave it to the sweep
 */
export async function hold(db: D1Database, request: HoldRequest, isDoubtful = false): Promise<HoldAnswer> {
  const opened = isDoubtful ? [] : await persist(2, () => db.batch<Held>(opening(db, request)));
  const [held] = opened.flatMap(({ results }) => results);
  if (held !== undefined) return { kind: 'held', ...held, charged: readBits(held.charged) };
  const { batchId, credits, keyHash, attempt } = request;
  const why =
    attempt === undefined
      ? db.prepare(WHY_NOT).bind(batchId, credits, keyHash)
      : db.prepare(WHY_NOT_ATTEMPT).bind(...valuesOf(request));
  const results = await persist(2, () => db.batch<Why>([...opening(db, request), why]));
  const [found] = results.at(-1)?.results ?? [];
  return found === undefined ? { kind: 'unknown_key' } : explain(found, request);
}

/** Refusals are checked in the order of their status: 422, 409, 429, 402. */
function explain(found: Why, request: HoldRequest): HoldAnswer {
  const { addresses } = request;
  const { accountId, accountClass, keyId, day, credits, inFlight, remaining, attainable, needed, ageMs, leftMs } =
    found;
  const owned = { accountId, accountClass };
  const charged = readBits(found.charged);
  if (found.held === 1) return { kind: 'held', ...owned, keyId, day, credits, charged };
  if (found.isAnotherBody === 1) return { kind: 'another_body', ...owned };
  if (ageMs !== null) return { kind: 'in_progress', ...owned, ageMs };
  if (leftMs !== null) return { kind: 'too_many_attempts', ...owned, charged, leftMs };
  const most = mostInFlight(request)[accountClass];
  if (most > 0 && addresses + inFlight > most) return { kind: 'too_many_in_flight', ...owned, charged, inFlight };
  if (remaining < needed) return { kind: 'too_few_credits', ...owned, charged, remaining, attainable, needed };
  const cap = capAgainst(found, needed, day);
  if (cap !== null) return { kind: 'capped', ...owned, charged, needed, cap };
  throw new Error('The batch id belongs to another account');
}

/** One of these statements returns a row if the batch is held: for an attempt the one that claims its key. */
function opening(db: D1Database, request: HoldRequest): D1PreparedStatement[] {
  const { batchId, keyHash, markUsed, addresses, entries = addresses, attempt } = request;
  const values = valuesOf(request);
  return [
    attempt === undefined
      ? db.prepare(OPEN).bind(...values, entries)
      : db.prepare(OPEN_ATTEMPT).bind(...values, attempt.list, entries),
    db.prepare(TAKE).bind(batchId),
    db.prepare(WRITE).bind(batchId),
    ...(attempt === undefined ? [] : [db.prepare(CLAIM).bind(...values, writeBits([], attempt.elements))]),
    ...(markUsed ? [db.prepare(MARK_USED).bind(keyHash)] : []),
  ];
}

function mostInFlight({ maxInFlight, maxInFlightFree = maxInFlight }: HoldRequest): Record<AccountClass, number> {
  return { bought: maxInFlight, free: maxInFlightFree };
}

/** ?1 to ?6, and for an attempt to ?8. */
function valuesOf(request: HoldRequest): ReadonlyArray<string | number> {
  const { batchId, credits, lastsMs, keyHash, addresses, attempt } = request;
  const most = mostInFlight(request);
  const what = attempt === undefined ? credits : JSON.stringify(attempt.billable);
  const values = [batchId, what, lastsMs, keyHash, addresses, JSON.stringify([most.bought, most.free])];
  return attempt === undefined ? values : [...values, attempt.keyHash, attempt.bodyHash];
}

/** The owner of a key and what the account may spend, for calls that cost nothing; null for an unknown key. */
export async function proveKey(db: D1Database, keyHash: string): Promise<KeyProof | null> {
  const results = await persist(2, () =>
    db.batch<KeyProof>([db.prepare(MARK_USED).bind(keyHash), db.prepare(PROVE).bind(keyHash)]),
  );
  const [proof] = results.at(-1)?.results ?? [];
  return proof ?? null;
}
