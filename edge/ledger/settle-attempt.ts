import { KEPT_HOURS } from '../../schema/words/idempotency.ts';
import { NOW_MS } from './clock.ts';

// How the settlement of a request with an Idempotency-Key records which elements have been charged. It runs in the
// transaction that closes the hold, before the hold is closed, and only if that is still open. So an element is marked
// exactly if the credit held for it stays taken, however the request ends:
//
// - settled, soon or late, even after the hold's time: closed with what was charged, and marked;
// - settled twice, because D1's answer was lost: the second one finds the hold closed, and changes neither;
// - swept, because the Worker died or its settlement was lost, even if lines of the answer were read: returned in full,
// nothing marked; a settlement that comes after the sweep finds the hold closed;
// - settled and swept at once: D1 serializes the two, and one of them closes the hold.
//
// Another request gets the key only when the hold is closed, so nothing else has been marked since it was opened.

export type AttemptEnd = {
  /** Of the account, or where D1's answer was lost and it is unknown, the hash of the API key. */
  readonly account: { readonly id: string } | { readonly apiKeyHash: string };
  readonly keyHash: string;
  /** The bits of all elements charged so far, by earlier attempts too; null leaves them as they are. */
  readonly charged: string | null;
  /** It failed on our side: it does not count towards the attempts that a key has. */
  readonly isVoid: boolean;
};

const MARK = `
  UPDATE idempotency_keys
     SET charged = coalesce(s.value ->> 3, charged), attempts = attempts - (s.value ->> 4), free_until = 0, free_addresses = 0
    FROM json_each(?1) s
   WHERE account_id = coalesce(s.value ->> 0, (SELECT account_id FROM api_keys WHERE hash = s.value ->> 5)) AND key_hash = s.value ->> 1 AND batch_id = s.value ->> 2
     AND (free_until > 0 OR EXISTS (SELECT 1 FROM holds h WHERE h.id = s.value ->> 2 AND h.closed_by IS NULL))
  RETURNING batch_id AS id`;

/** How long a key is remembered from its first request on. */
export const KEPT_MS = KEPT_HOURS * 3_600_000;
/** One turn drops more than a minute of the busiest service writes. */
const ROWS_PER_TURN = 10_000;
/** SQL: deletes keys whose day is over, a limited number per turn. */
export const DROP_OLD_IDEMPOTENCY_KEYS = `
  DELETE FROM idempotency_keys WHERE (account_id, key_hash) IN (
    SELECT account_id, key_hash FROM idempotency_keys
     WHERE begun_at <= ${NOW_MS} - ${KEPT_MS} ORDER BY begun_at LIMIT ${ROWS_PER_TURN})`;

/** The statement that marks what these attempts charged. It comes before the one that closes their holds. */
export function markCharged(
  db: D1Database,
  ends: ReadonlyArray<readonly [batchId: string, end: AttemptEnd]>,
): D1PreparedStatement {
  const list = ends.map(([batchId, { account, keyHash, charged, isVoid }]) => [
    'id' in account ? account.id : null,
    keyHash,
    batchId,
    charged,
    isVoid ? 1 : 0,
    'id' in account ? null : account.apiKeyHash,
  ]);
  return db.prepare(MARK).bind(JSON.stringify(list));
}
