import * as z from 'zod';
import { accountIdSchema, ORDERS_MAX, type OrdersPage } from '../../schema/admin.ts';
import { ORDER_FILTERS } from '../../schema/words/stored.ts';
import { findOrders } from '../orders/orders.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, rowsUpTo, type Services } from './operation.ts';

const orderId = z.string().regex(/^ord_\w{1,32}$/, 'must be the "next" of an earlier page');
export const ordersAsked = z.strictObject({
  account: accountIdSchema.optional(),
  state: z.enum(ORDER_FILTERS, { error: `must be one of ${ORDER_FILTERS.join(', ')}` }).optional(),
  limit: rowsUpTo(ORDERS_MAX),
  /** The `next` of the previous page. */
  before: orderId.optional(),
});

/** One page of the orders of all accounts, or of one, newest first, without the person who ordered. */
export async function listOrders({ db }: Services, asked: z.infer<typeof ordersAsked>): Promise<Done> {
  const { account = null, state = null, limit, before = null } = asked;
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
