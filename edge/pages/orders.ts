import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { Billing, NewOrder, OneOrder, OrderEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { directoryOf } from '../base/databases.ts';
import { describe, log } from '../base/log.ts';
import type { LogFields } from '../base/log-fields.ts';
import { askAbout, bookCheckout } from '../orders/book.ts';
import {
  claimOrder,
  lastPaidCheckout,
  listOrders,
  nameCheckout,
  type Order,
  placeOrder,
  readOrder,
} from '../orders/orders.ts';
import {
  customerOf,
  endCheckout,
  hasStripe,
  NO_PAPERS,
  openCheckout,
  papersOf,
  portalOf,
  sells,
} from '../orders/stripe.ts';
import type { Session } from '../people/sessions.ts';
import { comeBackTo } from '../dashboard/route/paths.ts';
import { timeText } from '../base/time-text.ts';
import { type Id, type JsonResponse, answer, tooMany } from './route.ts';
import { pagesOrigin } from './sign-in.ts';

/** `back`: where the customer wants to go on once it is paid. */
export const orderBody = z.strictObject({ pack: z.string().max(32), back: z.string().max(100).optional() });
type OrderBody = z.infer<typeof orderBody>;

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
  { pack: packId, back }: OrderBody,
): Promise<JsonResponse> {
  const { config, env } = call;
  const pack = sells(config) ? config.PACKS.find(({ id }) => id === packId) : undefined;
  if (pack === undefined) throw new RequestError('NOT_FOUND', 'This is not for sale here.');
  const order = await placeOrder(env.DB, { accountId: account.id, personId: person.id, pack });
  if (order === null) throw tooMany('Too many orders are unpaid. Pay one, or try again later.', '3600');
  try {
    const customer = await knownCustomer(call, account.id);
    const page = pagesOrigin(call) + (comeBackTo(back) ?? '/balance');
    const { id, url } = await openCheckout(config, order, page, customer);
    await nameCheckout(env.DB, order.id, id);
    return answer({ ...orderEntry(order), url } satisfies NewOrder, 201);
  } catch (error) {
    throw unreachable(call, { orderId: order.id }, error);
  }
}

/** Stripe's name for whom this account has bought as; null before it has. */
async function knownCustomer({ env, config }: Call, accountId: string): Promise<string | null> {
  const paid = await lastPaidCheckout(env.DB, accountId);
  return paid === null ? null : customerOf(config, paid);
}

function unreachable(call: Call, about: LogFields, error: unknown): RequestError {
  log('error', 'stripe_unreachable', { requestId: call.id, ...about, ...describe(error) });
  return new RequestError('UNAVAILABLE', 'Stripe cannot be reached at the moment. Try again in a few minutes.');
}

/** Stripe's page for company, tax number and invoices, and back to ours. */
export async function openBilling(call: Call, { account }: Session): Promise<JsonResponse> {
  const { config } = call;
  if (!hasStripe(config)) throw new RequestError('NOT_FOUND', 'This is not for sale here.');
  let url: string | null;
  try {
    const customer = await knownCustomer(call, account.id);
    url = customer === null ? null : await portalOf(config, customer, `${pagesOrigin(call)}/buy`);
  } catch (error) {
    throw unreachable(call, { accountId: account.id }, error);
  }
  if (url === null) throw new RequestError('CONFLICT', 'Billing details are kept from the first purchase on.');
  return answer({ url } satisfies Billing);
}

/** Ends an order that is not paid: its checkout can no longer be paid. One that was paid just now is booked. */
export async function removeOrder(call: Call, { account }: Session, { id }: Id): Promise<JsonResponse> {
  const { env, config, startedMs } = call;
  const { checkoutId } = await readOwn(env.DB, account.id, id);
  if (checkoutId === null || !hasStripe(config))
    throw new RequestError('CONFLICT', 'This order has no payment page. It ends within a day, by itself.');
  try {
    await bookCheckout(directoryOf(call), await endCheckout(config, checkoutId), startedMs);
  } catch (error) {
    throw unreachable(call, { orderId: id }, error);
  }
  if ((await readOwn(env.DB, account.id, id)).state === 'expired') return answer();
  throw new RequestError('CONFLICT', 'This order was paid, or its payment is under way.');
}

/** An order: while it is open Stripe is asked for its state, and where it is paid; then for its papers. */
export async function showOrder(call: Call, { account }: Session, { id }: Id): Promise<JsonResponse> {
  const { env, config, startedMs, id: requestId } = call;
  const order = await readOwn(env.DB, account.id, id);
  if (order.state === 'open' && hasStripe(config) && (await claimOrder(env.DB, id, ASK_REST_MS)))
    await askAbout(directoryOf(call), config, id, startedMs).catch((error: unknown) =>
      log('warn', 'stripe_unreachable', { requestId, orderId: id, ...describe(error) }),
    );
  const known = order.state === 'open' ? await readOwn(env.DB, account.id, id) : order;
  const { checkoutId } = known;
  const papers =
    checkoutId === null || !hasStripe(config) ? NO_PAPERS : await papersOf(config, checkoutId).catch(() => NO_PAPERS);
  return answer({ ...orderEntry(known), ...papers } satisfies OneOrder);
}

async function readOwn(db: D1Database, accountId: string, id: string): Promise<Order> {
  const order = await readOrder(db, id);
  if (order === null || order.accountId !== accountId)
    throw new RequestError('NOT_FOUND', 'This account has no such order.');
  return order;
}

function orderEntry({ id, state, credits, amount, currency, createdAt, orderedBy }: Order): OrderEntry {
  return { id, state, credits, amount, currency, createdAt: timeText(createdAt), orderedBy };
}
