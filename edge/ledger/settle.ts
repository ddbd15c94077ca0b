import { NOW_MS } from './clock.ts';
import { giveBack } from './give-back.ts';
import { type AttemptEnd, markCharged } from './settle-attempt.ts';
import { type Counts, countUsage } from './usage.ts';
import { persist } from './transient.ts';

export type Settlement = {
  readonly batchId: string;
  /** 0 to the credits held, anything else makes D1 refuse the whole; or all that is held, however much that is. */
  readonly back: number | 'all';
  /** What was delivered, to be counted under the key's name; absent if nothing was. */
  readonly usage?: Counts & { readonly keyId: string };
  /** Of a request with an Idempotency-Key; it may have held nothing. */
  readonly attempt?: AttemptEnd;
};

const CLOSE = `
  UPDATE holds SET closed_by = 'settle', closed_at = ${NOW_MS}, returned = coalesce(s.value ->> 1, credits)
    FROM json_each(?1) s
   WHERE holds.id = s.value ->> 0 AND closed_by IS NULL RETURNING holds.id`;

/**
 * Closes batches, each once, and gives back what they earned back: one round trip, one transaction, however many. A
 * batch that a sweep or an earlier call closed, and one that was never opened, stays as it is; so this may be repeated,
 * and is while D1's trouble is a passing one.
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
  // Only those that end a batch return rows.
  return new Set(results.flatMap((result) => result.results.map(({ id }) => id)));
}

function listed({ batchId, back, usage }: Settlement): ReadonlyArray<string | number | null> {
  const credits = back === 'all' ? null : back;
  return usage === undefined
    ? [batchId, credits]
    : [batchId, credits, usage.keyId, usage.valid, usage.risky, usage.invalid, usage.unknown];
}
