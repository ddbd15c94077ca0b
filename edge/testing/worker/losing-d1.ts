import { aroundBatch } from './around-batch.ts';

/** The fate of one D1 batch: it passes, is lost before it was carried out, or its answer is lost. */
export type Fault = 'none' | 'before' | 'after';

/** D1 over a bad connection: batch number n gets fault number n, and later ones pass. */
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
