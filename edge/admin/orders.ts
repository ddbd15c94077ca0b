import type { OrdersPage } from '../../schema/admin.ts';
import { ORDER_FILTERS } from '../../schema/words/stored.ts';
import { RequestError } from '../../schema/errors.ts';
import { findOrders, orderPlaceText, readOrderPlace } from '../orders/find.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, type Services } from './operation.ts';

const ORDERS_SHOWN = 100;

/** One page of the orders of all accounts, or of one, newest first. Who ordered stays with the account. */
export async function listOrders(
  { db }: Services,
  params: {
    readonly account?: string | undefined;
    readonly state?: (typeof ORDER_FILTERS)[number] | undefined;
    readonly limit?: number | undefined;
    readonly before?: string | undefined;
  },
): Promise<Done> {
  const { account = null, state = null, limit = ORDERS_SHOWN } = params;
  const before = params.before === undefined ? null : readOrderPlace(params.before);
  if (params.before !== undefined && before === null)
    throw new RequestError('INVALID_INPUT', 'before: must be the "next" of an earlier page.');
  const found = await findOrders(db, { account, state, before, rows: limit + 1 });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const page: OrdersPage = {
    orders: shown.map(({ createdAt, paidAt, ...order }) => ({
      ...order,
      createdAt: timeText(createdAt),
      paidAt: paidAt === null ? null : timeText(paidAt),
    })),
    next: found.length > limit && last !== undefined ? orderPlaceText(last) : null,
  };
  return done(page);
}
