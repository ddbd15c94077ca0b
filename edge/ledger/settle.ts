import { NOW_MS } from './clock.ts';
import { giveBack } from './give-back.ts';
import { type AttemptEnd, markCharged } from './settle-attempt.ts';
import { type Counts, countUsage } from './usage.ts';
import { persist } from './transient.ts';

export type Settlement = {
  readonly batchId: string;
  /** 0 to the credits held (D1 refuses the whole for anything else), or all that is held. */
  readonly back: number | 'all';
  /** The results delivered, counted under the key's name; absent if there were none. */
  readonly usage?: Counts & { readonly keyId: string };
  /** What the log of calls says of its answer; absent if there was none. */
  readonly answered?: { readonly status: number; readonly ms: number };
  /** Set for a request with an Idempotency-Key; it may have held nothing. */
  readonly attempt?: AttemptEnd;
};

const CLOSE = `
  UPDATE holds SET closed_by = 'settle', closed_at = ${NOW_MS}, returned = coalesce(s.value ->> 1, credits),
         status = s.value ->> 2, ms = s.value ->> 3
    FROM json_each(?1) s
   WHERE holds.id = s.value ->> 0 AND closed_by IS NULL RETURNING holds.id`;

/**
 * Closes batches, each once, and returns their unused credits: one round trip, one transaction for all of them. A batch
 * that was closed by a sweep or an earlier call, or never opened, stays as it is; so this may be repeated, and is while
 * D1's failure is transient.
 * @param settlements at most some hundreds, no batch twice
 * @returns the ids of the batches that this call closed, or ended if they held nothing
 */
export async function settle(db: D1Database, settlements: readonly Settlement[]): Promise<ReadonlySet<string>> {
  const list = JSON.stringify(settlements.map(listed));
  const counted = settlements.some(({ usage }) => usage !== undefined);
  const returned = settlements.filter(({ back }) => back !== 0).map(({ batchId }) => batchId);
  const ends = settlements.flatMap(({ batchId, attempt }) =>
    attempt === undefined ? [] : [[batchId, attempt] as const],
  );
  const results = await persist(4, () =>
    db.batch<{ readonly id: string }>([
      ...(counted ? [countUsage(db, list)] : []),
      ...(ends.length > 0 ? [markCharged(db, ends)] : []),
      db.prepare(CLOSE).bind(list),
      ...(returned.length === 0 ? [] : giveBack(db, returned)),
    ]),
  );
  // Only the statements that end a batch return rows.
  return new Set(results.flatMap((result) => result.results.map(({ id }) => id)));
}

function listed({ batchId, back, answered, usage }: Settlement): ReadonlyArray<string | number | null> {
  const closing = [batchId, back === 'all' ? null : back, answered?.status ?? null, answered?.ms ?? null];
  return usage === undefined
    ? closing
    : [...closing, usage.keyId, usage.valid, usage.risky, usage.invalid, usage.unknown];
}
