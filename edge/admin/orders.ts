import * as z from 'zod';
import type { OrdersPage } from '../../schema/admin.ts';
import { ORDER_FILTERS } from '../../schema/words/stored.ts';
import { findOrders } from '../orders/orders.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, type Services } from './operation.ts';

const ORDERS_SHOWN = 100;
export const orderIdSchema = z.string().regex(/^ord_\w{1,32}$/, 'must be the "next" of an earlier page');

/** One page of the orders of all accounts, or of one, newest first, without the person who ordered. */
export async function listOrders(
  { db }: Services,
  params: {
    readonly account?: string | undefined;
    readonly state?: (typeof ORDER_FILTERS)[number] | undefined;
    readonly limit?: number | undefined;
    readonly before?: string | undefined;
  },
): Promise<Done> {
  const { account = null, state = null, limit = ORDERS_SHOWN, before = null } = params;
  const found = await findOrders(db, { account, state, before, rows: limit + 1 });
  const shown = found.slice(0, limit);
  const page: OrdersPage = {
    orders: shown.map(({ createdAt, paidAt, orderedBy: _by, isClosed: _closed, ...order }) => ({
      ...order,
      createdAt: timeText(createdAt),
      paidAt: paidAt === null ? null : timeText(paidAt),
    })),
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
  return done(page);
}
