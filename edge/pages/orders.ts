import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { NewOrder, OneOrder, OrderEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { describe, log } from '../base/log.ts';
import { askAbout } from '../orders/book.ts';
import { claimOrder, listOrders, nameCheckout, type Order, placeOrder, readOrder } from '../orders/orders.ts';
import { hasStripe, openCheckout, receiptOf, sells } from '../orders/stripe.ts';
import type { Session } from '../people/sessions.ts';
import { comeBackTo } from '../dashboard/route/paths.ts';
import { timeText } from '../base/time-text.ts';
import { type JsonResponse, answer } from './route.ts';
import { pagesOrigin } from './sign-in.ts';

/** `back`: where the customer wants to go on once it is paid. */
export const orderBody = z.strictObject({ pack: z.string().max(32), back: z.string().max(100).optional() });
export const orderParams = z.strictObject({ id: z.string() });

/** A returning customer's page polls every other second. */
const ASK_REST_MS = 4_000;

export async function showOrders({ env }: Call, { account }: Session): Promise<JsonResponse> {
  return answer({ orders: (await listOrders(env.DB, account.id)).map(orderEntry) });
}

/** Writes the order, then has Stripe create the page on which it is paid. */
export async function makeOrder(
  call: Call,
  { account, person }: Session,
  _params: object,
  { pack: packId, back }: z.infer<typeof orderBody>,
): Promise<JsonResponse> {
  const { config, env } = call;
  const pack = sells(config) ? config.PACKS.find(({ id }) => id === packId) : undefined;
  if (pack === undefined) throw new RequestError('NOT_FOUND', 'This is not for sale here.');
  const order = await placeOrder(env.DB, { accountId: account.id, personId: person.id, pack });
  if (order === null)
    throw new RequestError('RATE_LIMITED', 'Too many orders are unpaid. Pay one, or try again later.', {
      'retry-after': '3600',
    });
  try {
    const { id, url } = await openCheckout(config, order, pagesOrigin(call) + (comeBackTo(back) ?? '/balance'));
    await nameCheckout(env.DB, order.id, id);
    return answer({ ...orderEntry(order), url } satisfies NewOrder, 201);
  } catch (error) {
    log('error', 'stripe_unreachable', { requestId: call.id, orderId: order.id, ...describe(error) });
    throw new RequestError(
      'UNAVAILABLE',
      'The payment page cannot be reached at the moment. Try again in a few minutes.',
    );
  }
}

/** An order: while it is open Stripe is asked for its state, and once it is paid for its receipt. */
export async function showOrder(
  call: Call,
  { account }: Session,
  { id }: z.infer<typeof orderParams>,
): Promise<JsonResponse> {
  const { env, config, startedMs, id: requestId } = call;
  const order = await readOwn(env.DB, account.id, id);
  if (order.state === 'open' && hasStripe(config) && (await claimOrder(env.DB, id, ASK_REST_MS)))
    await askAbout(directoryOf(call), config, id, startedMs).catch((error: unknown) =>
      log('warn', 'stripe_unreachable', { requestId, orderId: id, ...describe(error) }),
    );
  const known = order.state === 'open' ? await readOwn(env.DB, account.id, id) : order;
  const { state, checkoutId } = known;
  const receiptUrl =
    state === 'paid' && checkoutId !== null && hasStripe(config)
      ? await receiptOf(config, checkoutId).catch(() => null)
      : null;
  return answer({ ...orderEntry(known), receiptUrl } satisfies OneOrder);
}

async function readOwn(db: D1Database, accountId: string, id: string): Promise<Order> {
  const order = await readOrder(db, id);
  if (order === null || order.accountId !== accountId)
    throw new RequestError('NOT_FOUND', 'This account has no such order.');
  return order;
}

function orderEntry({ id, state, credits, amount, currency, createdAt, orderedBy }: Order): OrderEntry {
  return {
    id,
    state,
    credits,
    amount,
    currency,
    createdAt: timeText(createdAt),
    orderedBy,
  };
}
