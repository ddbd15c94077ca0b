import { ATTEMPTS_MAX } from '../../schema/words/idempotency.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { CAP_FACTS, CAP_LEFT } from './caps.ts';
import { bitAt } from './charged-bits.ts';
import { NOW_MS, TODAY } from './clock.ts';
import { ATTAINABLE, CLASS, hasRoom, IN_FLIGHT, KEY_ID, SPENDABLE, keyIsValid } from './payer.ts';
import { KEPT_MS } from './settle-attempt.ts';

// SQL for a hold with an Idempotency-Key: it takes the credits of the elements not charged yet and claims the key, so
// that no other request has it at the same time; or it does neither. The hold says whether a request is in progress:
// its settlement or the sweep closes it and frees the key. A request that costs nothing has no hold: the key's own row
// says until when it counts as in progress, in case its Worker dies, and its end is written to that row
// (settle-attempt.ts).

/**
 * What identifies a request: HMACs of its Idempotency-Key and of its body. `list`: that of the list it is part of,
 * taken from its key; null if it is part of none.
 */
export type Idempotency = { readonly keyHash: string; readonly bodyHash: string; readonly list: string | null };

export type Attempt = Idempotency & {
  /** The elements that cost a credit each, unless they were charged before; may be none. */
  readonly billable: readonly SlotIndex[];
  /** How many elements the request has, billable or not. */
  readonly elements: number;
};

// Bound in the statements: ?1 batch, ?2 billable elements (JSON), ?3 how long a hold lasts, ?4 hash of the API key,
// ?5 addresses, ?6 most in flight by class, ?7 hash of the Idempotency-Key, ?8 hash of the body; ?9 in OPEN the list, in CLAIM no
// element's bit; ?10 in OPEN the number of entries.

/** SQL: the account `a` of the API key `k`, and what is known of the Idempotency-Key, `i`. */
const FROM_KEYS = `
  api_keys k JOIN accounts a ON a.id = k.account_id
    LEFT JOIN idempotency_keys i ON i.account_id = a.id AND i.key_hash = +?7
   WHERE ${keyIsValid('?4')}`;

/** SQL: a key past its day may still have a row until that is dropped. */
const IS_KNOWN = `i.begun_at > ${NOW_MS} - ${KEPT_MS}`;

/** SQL: since when the latest request with the key has been in progress; null if none is. */
const BUSY_SINCE = `iif(i.free_until > ${NOW_MS}, i.free_until - ?3,
  (SELECT u.opened_at FROM holds u WHERE u.id = i.batch_id AND u.closed_by IS NULL))`;

/** SQL, for a free key: 1 if its latest request was lost because its Worker died. A lost request is not counted. */
const LOST = (row: string): string => `(${row}.free_until > 0
  OR EXISTS (SELECT 1 FROM holds l WHERE l.id = ${row}.batch_id AND l.closed_by = 'sweep'))`;
const IS_USED_UP = `i.attempts - ${LOST('i')} >= ${ATTEMPTS_MAX}`;

const MAY_BEGIN = `${BUSY_SINCE} IS NULL
  AND (${IS_KNOWN} AND (i.body_hash <> ?8 OR ${IS_USED_UP})) IS NOT 1`;
/** SQL: how many of the billable elements have not been charged yet. */
const DUE = `(
  SELECT count(*) FROM json_each(?2) u WHERE iif(${IS_KNOWN}, ${bitAt('i.charged', 'u.value')}, 0) IS NOT 1)`;

const ASKED = `WITH asked AS MATERIALIZED (
  SELECT a.id AS accountId, min(${SPENDABLE}, ${CAP_LEFT}) AS spendable, ${DUE} AS due, ${MAY_BEGIN} AND ${hasRoom('?5', '?6')} AS mayBegin,
         ${KEY_ID} AS keyId
    FROM ${FROM_KEYS})`;

export const OPEN_ATTEMPT = `${ASKED}
  INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at, list, key_id, entries)
  SELECT ?1, accountId, due, ?5, ${NOW_MS}, ${NOW_MS} + ?3, ?9, keyId, ?10
    FROM asked WHERE mayBegin AND due > 0 AND spendable >= due
      ON CONFLICT (id) DO NOTHING`;

/**
 * Applies once the hold is open or none is needed. A request already begun under this batch id is not counted again.
 */
export const CLAIM = `${ASKED}
  INSERT INTO idempotency_keys
         (account_id, key_hash, body_hash, charged, attempts, batch_id, begun_at, free_until, free_addresses)
  SELECT accountId, ?7, ?8, ?9, 1, ?1, ${NOW_MS}, iif(h.id IS NULL, ${NOW_MS} + ?3, 0), iif(h.id IS NULL, ?5, 0)
    FROM asked LEFT JOIN holds h ON h.id = +?1 AND h.account_id = accountId
   WHERE h.id IS NOT NULL OR (mayBegin AND due = 0)
      ON CONFLICT (account_id, key_hash) DO UPDATE
         SET attempts = iif(begun_at > ${NOW_MS} - ${KEPT_MS},
               attempts - ${LOST('idempotency_keys')} + (batch_id <> excluded.batch_id), 1),
             charged = iif(begun_at > ${NOW_MS} - ${KEPT_MS}, charged, excluded.charged),
             begun_at = iif(begun_at > ${NOW_MS} - ${KEPT_MS}, begun_at, excluded.begun_at),
             body_hash = excluded.body_hash, batch_id = excluded.batch_id,
             free_until = excluded.free_until, free_addresses = excluded.free_addresses
  RETURNING account_id AS accountId, charged, ${TODAY} AS day,
            (SELECT ${KEY_ID} FROM api_keys k WHERE k.hash = +?4) AS keyId,
            (SELECT ${CLASS} FROM accounts a WHERE a.id = account_id) AS accountClass,
            coalesce((SELECT h.credits FROM holds h WHERE h.id = +?1), 0) AS credits`;

export const WHY_NOT_ATTEMPT = `
  SELECT a.id AS accountId, ${CLASS} AS accountClass, ${KEY_ID} AS keyId, ${TODAY} AS day, ${SPENDABLE} AS remaining,
         ${ATTAINABLE} AS attainable, ${CAP_FACTS}, ${IN_FLIGHT} AS inFlight, ${DUE} AS needed, iif(${IS_KNOWN}, i.charged, '') AS charged,
         i.batch_id IS ?1 AS held, coalesce((SELECT h.credits FROM holds h WHERE h.id = +?1), 0) AS credits,
         ${NOW_MS} - ${BUSY_SINCE} AS ageMs, ${IS_KNOWN} AND i.body_hash <> ?8 AS isAnotherBody,
         iif(${IS_KNOWN} AND ${IS_USED_UP}, i.begun_at + ${KEPT_MS} - ${NOW_MS}, NULL) AS leftMs
    FROM ${FROM_KEYS}`;
