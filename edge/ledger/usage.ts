import type { Status } from '../../schema/words/verdicts.ts';
import { TODAY } from './clock.ts';

// The results of settled batches, added up by account, day and key: counts alone. They are written in the transaction
// that closes the holds, before it does: a batch whose hold is open has not been counted, however often it is retried.

/** How many results of each status an answer delivered. */
export type Counts = Readonly<Record<Status, number>>;

export type UsageDay = Counts & {
  /** Since 1970 UTC. */
  readonly day: number;
  readonly keyId: string;
  readonly batches: number;
  readonly charged: number;
  readonly returned: number;
};

const KEPT_DAYS = 400;
const ROWS_PER_TURN = 1_000;

/**
 * From each element of the list: batch id, credits returned, then from the fifth place key id, and the counts in the
 * order of the columns.
 */
const COUNT = `
  INSERT INTO usage_days (account_id, day, key_id, batches, valid, risky, invalid, unknown, charged, returned)
  SELECT h.account_id, ${TODAY}, s.value ->> 4, count(*), sum(s.value ->> 5), sum(s.value ->> 6), sum(s.value ->> 7),
         sum(s.value ->> 8), sum(h.credits - (s.value ->> 1)), sum(s.value ->> 1)
    FROM json_each(?1) s JOIN holds h ON h.id = s.value ->> 0
   WHERE h.closed_by IS NULL AND s.value ->> 4 IS NOT NULL
   GROUP BY h.account_id, s.value ->> 4
      ON CONFLICT (account_id, day, key_id) DO UPDATE
         SET batches = batches + excluded.batches, valid = valid + excluded.valid, risky = risky + excluded.risky,
             invalid = invalid + excluded.invalid, unknown = unknown + excluded.unknown,
             charged = charged + excluded.charged, returned = returned + excluded.returned`;

const READ = `
  SELECT day, key_id AS keyId, batches, valid, risky, invalid, unknown, charged, returned FROM usage_days
   WHERE account_id = ?1 AND day > ${TODAY} - ?2 ORDER BY day, key_id LIMIT 20000`;

/** SQL: drops days older than 400, a limited number per turn. */
export const DROP_OLD_USAGE = `
  DELETE FROM usage_days WHERE (account_id, day, key_id) IN (
    SELECT account_id, day, key_id FROM usage_days WHERE day < ${TODAY} - ${KEPT_DAYS} LIMIT ${ROWS_PER_TURN})`;

/** The statement that counts batches. It comes before the one that closes them. */
export function countUsage(db: D1Database, list: string): D1PreparedStatement {
  return db.prepare(COUNT).bind(list);
}

/** What an account used in the last `days` days, today among them, oldest first. */
export async function readUsage(db: D1Database, accountId: string, days: number): Promise<readonly UsageDay[]> {
  return (await db.prepare(READ).bind(accountId, days).all<UsageDay>()).results;
}
