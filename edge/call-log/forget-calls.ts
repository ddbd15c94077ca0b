import { accountPartOf, limiterOf } from '../access/key.ts';
import { LATEST_HELD } from './read-calls.ts';

// What the log of a closed account knew. Its holds stay with the books for their week.

const FORGET_RINGS = 'DELETE FROM call_rings WHERE account = ?1';
const FORGET_HELD = `UPDATE holds SET key_id = NULL, entries = 0, status = NULL, ms = NULL WHERE id IN (${LATEST_HELD})`;

/** The statements that delete the log of an account. @param database the number of `db` */
export async function forgetCalls(db: D1Database, database: number, accountId: string): Promise<D1PreparedStatement[]> {
  const limiter = await limiterOf(await accountPartOf(accountId, database));
  return [db.prepare(FORGET_RINGS).bind(limiter), db.prepare(FORGET_HELD).bind(accountId)];
}
