import { TODAY } from './clock.ts';

// Caps of a live key: the credits that it may spend a day and a month, by D1's clock (UTC). Spent is what its settled
// batches were charged and what its open ones hold, so a return frees its part again; a batch that is open over midnight
// counts for the day on which it is settled. A key without a cap costs its calls no read.

const HELD = `(SELECT coalesce(sum(o.credits), 0) FROM holds o
  WHERE o.account_id = k.account_id AND o.closed_by IS NULL AND o.key_id = k.id)`;

/** The days of a month back from today, each looked up by its key. */
const BACK = JSON.stringify(Array.from({ length: 31 }, (_, days) => days));
const DAY_OF_MONTH = `CAST(strftime('%d', unixepoch(), 'unixepoch') AS INTEGER)`;
const chargedSince = (days: string): string => `(
  SELECT coalesce(sum(u.charged), 0) FROM json_each('${BACK}') d
         CROSS JOIN usage_days u ON u.account_id = k.account_id AND u.day = ${TODAY} - d.value AND u.key_id = k.id
   WHERE d.value < ${days})`;

/** SQL, of the key `k`: what it spent today and this month, and holds of both; null where it has no cap. */
export const SPENT_TODAY = `iif(k.day_cap IS NULL, NULL, ${HELD} + ${chargedSince('1')})`;
export const SPENT_THIS_MONTH = `iif(k.month_cap IS NULL, NULL, ${HELD} + ${chargedSince(DAY_OF_MONTH)})`;

const NO_CAP = 1e15;
/** SQL: the credits that the caps of the key `k` leave. */
export const CAP_LEFT = `min(coalesce(k.day_cap - ${SPENT_TODAY}, ${NO_CAP}), coalesce(k.month_cap - ${SPENT_THIS_MONTH}, ${NO_CAP}))`;

/** SQL, for a refusal: the columns of `CapFacts`. */
export const CAP_FACTS = `k.label, k.day_cap AS dayCap, ${SPENT_TODAY} AS spentToday, k.month_cap AS monthCap,
  ${SPENT_THIS_MONTH} AS spentThisMonth, iif(coalesce(k.day_cap, k.month_cap) IS NULL, 0, ${HELD}) AS heldByKey`;

export type CapFacts = {
  readonly label: string;
  readonly dayCap: number | null;
  readonly spentToday: number | null;
  readonly monthCap: number | null;
  readonly spentThisMonth: number | null;
  readonly heldByKey: number;
};

/** The cap of a key that a request does not fit into. */
export type Cap = {
  readonly label: string;
  readonly period: 'day' | 'month';
  readonly credits: number;
  readonly left: number;
  /** Milliseconds since 1970 UTC. */
  readonly resetsAt: number;
  /** What would be left if all its open batches were refunded. */
  readonly attainable: number;
};

/**
 * The cap that refuses a request, of two the one that lasts longer; null: none does. Pure.
 * @param day today, in whole days since 1970 UTC
 */
export function capAgainst(facts: CapFacts, needed: number, day: number): Cap | null {
  const { label, dayCap, spentToday, monthCap, spentThisMonth, heldByKey } = facts;
  const date = new Date(day * 86_400_000);
  const caps = [
    ['month', monthCap, spentThisMonth, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)],
    ['day', dayCap, spentToday, (day + 1) * 86_400_000],
  ] as const;
  for (const [period, credits, spent, resetsAt] of caps) {
    if (credits === null || needed <= credits - (spent ?? 0)) continue;
    const left = Math.max(0, credits - (spent ?? 0));
    return { label, period, credits, left, resetsAt, attainable: credits - (spent ?? 0) + heldByKey };
  }
  return null;
}
