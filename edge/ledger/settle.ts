import { giveBack } from './give-back.ts';
import { persist } from './transient.ts';

const CLOSE = `
  UPDATE holds SET closed_by = 'settle', returned = ?2
   WHERE id = ?1 AND closed_by IS NULL RETURNING id`;

/**
 * Closes a batch, once, and gives back what it earned back. A batch that a sweep or an earlier call closed, and one
 * that was never opened, stays as it is; so this may be repeated, and is while D1's trouble is a passing one.
 * @param back 0 to the credits held; more makes D1 refuse the whole
 * @returns whether this call closed it
 */
export async function settle(db: D1Database, batchId: string, back: number): Promise<boolean> {
  const results = await persist(4, () =>
    db.batch([db.prepare(CLOSE).bind(batchId, back), ...(back === 0 ? [] : giveBack(db, [batchId]))]),
  );
  return results[0]?.results.length === 1;
}
