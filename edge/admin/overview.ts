import type { Overview } from '../../schema/admin.ts';
import { within } from '../base/within.ts';
import { type Done, done, type Services } from './operation.ts';

const ALARMS_ANSWER_WITHIN_MS = 5_000;
const INCOME_DAYS = 7;
const DAY_MS = 86_400_000;

/** How the service did in the last hour and the last week, and what was paid by day. What cannot be learnt is null. */
export async function showOverview({ db, alarms, nowMs }: Services): Promise<Done> {
  const [traffic, income] = await Promise.all([
    within(ALARMS_ANSWER_WITHIN_MS, alarms.traffic()).catch(() => null),
    incomeOf(db, nowMs).catch(() => null),
  ]);
  const overview: Overview = {
    minutes: traffic === null ? null : [...traffic.minutes],
    hours: traffic === null ? null : [...traffic.hours],
    income,
  };
  return done(overview);
}

/** Paid orders since a moment by day (UTC) and currency, the newest day first. What has a time of payment is paid. */
export const INCOME = `
  SELECT date(paid_at / 1000, 'unixepoch') AS day, currency, sum(amount - refunded) AS amount, count(*) AS orders
    FROM orders WHERE paid_at >= ?1 GROUP BY day, currency ORDER BY day DESC, currency`;

async function incomeOf(db: D1Database, nowMs: number): Promise<NonNullable<Overview['income']>> {
  const since = (Math.floor(nowMs / DAY_MS) - INCOME_DAYS + 1) * DAY_MS;
  return (await db.prepare(INCOME).bind(since).all<NonNullable<Overview['income']>[number]>()).results;
}
