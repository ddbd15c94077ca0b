import { and, eq, gte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Overview } from '../../schema/admin.ts';
import { orders } from '../../schema/people-tables.ts';
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

/** Paid orders by day (UTC) and currency, the newest day first. */
function incomeOf(db: D1Database, nowMs: number): Promise<NonNullable<Overview['income']>> {
  const since = (Math.floor(nowMs / DAY_MS) - INCOME_DAYS + 1) * DAY_MS;
  const day = sql<string>`date(${orders.paidAt} / 1000, 'unixepoch')`;
  return drizzle(db)
    .select({
      day,
      currency: orders.currency,
      amount: sql<number>`sum(${orders.amount} - ${orders.refunded})`,
      orders: sql<number>`count(*)`,
    })
    .from(orders)
    .where(and(eq(orders.state, 'paid'), gte(orders.paidAt, since)))
    .groupBy(day, orders.currency)
    .orderBy(sql`1 desc`, orders.currency);
}
