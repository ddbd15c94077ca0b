import { aroundBatch } from './around-batch.ts';

/** What happens to one batch of D1: it passes, is lost before it was carried out, or its answer is. */
export type Fault = 'none' | 'before' | 'after';

/** D1 as it is behind a bad line: batch number n meets fault number n, those after the last pass. */
export function losingD1(db: D1Database, faults: readonly Fault[]): D1Database {
  let batches = 0;
  return aroundBatch(db, async (send) => {
    const fault = faults[batches] ?? 'none';
    batches += 1;
    if (fault === 'before') throw new Error('D1_ERROR: Network connection lost.');
    const answer = await send();
    if (fault === 'after') throw new Error('D1_ERROR: Network connection lost.');
    return answer;
  });
}
