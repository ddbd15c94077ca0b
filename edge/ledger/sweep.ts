import { NOW_MS } from './clock.ts';
import { giveBack } from './give-back.ts';

const HOLDS_PER_ROUND = 500;
const ROUNDS_MAX = 20;

const FIND = `
  SELECT id FROM holds
   WHERE closed_by IS NULL AND expires_at < ${NOW_MS} ORDER BY expires_at LIMIT ${HOLDS_PER_ROUND}`;

const CLOSE = `
  UPDATE holds SET closed_by = 'sweep', closed_at = ${NOW_MS}, returned = credits
   WHERE id IN (SELECT value FROM json_each(?1)) AND closed_by IS NULL AND expires_at < ${NOW_MS} RETURNING id`;

/**
 * Returns every expired open hold in full: a Worker died with its batch, or its settlement was lost.
 * @returns how many holds this call closed
 */
export async function sweep(db: D1Database): Promise<number> {
  let closed = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await db.prepare(FIND).all<{ id: string }>();
    if (found.results.length === 0) break;
    const ids = found.results.map((row) => row.id);
    const [done] = await db.batch([db.prepare(CLOSE).bind(JSON.stringify(ids)), ...giveBack(db, ids)]);
    closed += done?.results.length ?? 0;
    if (ids.length < HOLDS_PER_ROUND) break;
  }
  return closed;
}
