import type { Config } from '../base/config.ts';
import type { Home } from '../base/databases.ts';
import { buy } from '../ledger/home-of.ts';
import { describe, log } from '../base/log.ts';
import {
  claimOpenOrders,
  expireOrder,
  markPaid,
  type Order,
  ORDER_LASTS_MS,
  orderOfPayment,
  readOrder,
} from './orders.ts';
import { type Checkout, checkoutOfPayment, endCheckout, hasStripe, lookAtCheckout } from './stripe.ts';

// Applies what Stripe says about a checkout to its order: on an event, when a customer returns, by the cron. All of
// these may come twice, concurrently, or in any order: the purchase has the order's id, and is booked once.

/**
 * Takes in the state of a checkout. It has to be the order's own: the reference alone proves nothing, because anyone
 * who opens a payment link of the same Stripe account may write any reference into its address. Credits are those of
 * the order. If another checkout or another price was paid, nothing is booked and the operator is told.
 *
 * @returns whether it was booked just now
 */
export async function bookCheckout(directory: Home, checkout: Checkout, nowMs: number): Promise<boolean> {
  const { orderId, state, paymentId } = checkout;
  const { db } = directory;
  // Without a reference it is another product sold through the same Stripe account.
  if (state === 'open' || orderId === null) return false;
  const order = await readOrder(db, orderId);
  if (order === null) {
    if (state === 'paid') log('error', 'order_unknown', { checkoutId: checkout.id });
    return false;
  }
  if (checkout.id !== order.checkoutId) {
    if (state === 'paid') log('error', 'order_checkout_differs', { orderId: order.id, checkoutId: checkout.id });
    return false;
  }
  if (state === 'expired') {
    await expireOrder(db, order.id);
    return false;
  }
  if (checkout.amount !== order.amount || checkout.currency !== order.currency) {
    log('error', 'order_amount_differs', { orderId: order.id, amount: checkout.amount, currency: checkout.currency });
    return false;
  }
  const { id, accountId, credits, isClosed } = order;
  // A bank transfer takes days: credits that were still good when it was ordered stay good.
  const orderedMs = nowMs - order.createdAt <= ORDER_LASTS_MS ? order.createdAt : nowMs;
  const booked = await buy(directory, { accountId, purchaseId: id, credits, nowMs, orderedMs }, (isRemote) => [
    markPaid(db, id, paymentId, isRemote ? credits : 0),
  ]);
  if (booked.kind === 'conflict' || booked.kind === 'unknown_account')
    log('error', 'order_not_booked', { orderId: id, why: booked.kind });
  if (booked.kind !== 'granted') return false;
  if (isClosed === 1) log('error', 'order_paid_closed', { orderId: id, accountId, credits, checkoutId: checkout.id });
  else log('info', 'order_paid', { orderId: id, accountId, credits });
  return true;
}

/**
 * The order that a payment paid for. If none is known by it, Stripe is asked for its checkout: events come in any
 * order, and a refund may arrive before its purchase.
 * @throws what Stripe's client throws
 */
export async function orderPaidBy(
  directory: Home,
  config: Config,
  paymentId: string,
  nowMs: number,
): Promise<Order | null> {
  const known = await orderOfPayment(directory.db, paymentId);
  if (known !== null) return known;
  const checkout = await checkoutOfPayment(config, paymentId);
  if (checkout === null) return null;
  await bookCheckout(directory, checkout, nowMs);
  return orderOfPayment(directory.db, paymentId);
}

/**
 * Asks Stripe about one order. If its account has no people any more, its checkout is ended.
 *
 * @returns whether it was booked just now
 * @throws what Stripe's client throws
 */
export async function askAbout(directory: Home, config: Config, orderId: string, nowMs: number): Promise<boolean> {
  const order = await readOrder(directory.db, orderId);
  if (order === null || order.checkoutId === null) return false;
  const { checkoutId, isClosed } = order;
  const checkout = await (isClosed === 1 ? endCheckout(config, checkoutId) : lookAtCheckout(config, checkoutId));
  return bookCheckout(directory, checkout, nowMs);
}

/** Asks about these orders in turn. If Stripe does not answer, the cron asks again. @returns those just booked */
export async function askAboutAll(
  directory: Home,
  config: Config,
  orderIds: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  const booked: string[] = [];
  for (const orderId of orderIds) {
    try {
      if (await askAbout(directory, config, orderId, nowMs)) booked.push(orderId);
    } catch (error) {
      log('warn', 'stripe_unreachable', { orderId, ...describe(error) });
    }
  }
  return booked;
}

/**
 * One run of the cron: asks about some orders left open, in case an event was lost. No refund is learnt of while all
 * are: the operator is told.
 */
export async function askAboutOpenOrders(directory: Home, config: Config, nowMs: number): Promise<void> {
  if (!hasStripe(config)) return;
  for (const orderId of await askAboutAll(directory, config, await claimOpenOrders(directory.db), nowMs))
    log('error', 'order_unannounced', { orderId, why: 'Stripe told nothing of its payment' });
}
