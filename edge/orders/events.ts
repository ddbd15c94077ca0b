import { RequestError } from '../../schema/errors.ts';
import { readBody } from '../access/body.ts';
import type { Call } from '../base/call.ts';
import type { Config } from '../base/config.ts';
import { directoryOf } from '../base/databases.ts';
import { log } from '../base/log.ts';
import { orderPaidBy, bookCheckout } from './book.ts';
import { noteDispute, noteRefund } from './orders.ts';
import { hasStripe, readEvent, type StripeEvent } from './stripe.ts';

/** Stripe's own events are far smaller. */
const EVENT_BYTES_MAX = 262_144;

/**
 * POST /stripe/events: Stripe's webhook. Answered with 200 once the event is handled, so that Stripe repeats all
 * others.
 * @throws RequestError NOT_FOUND if nothing can be bought here; INVALID_INPUT, BODY_TOO_LARGE
 */
export async function receiveEvent(call: Call): Promise<Response> {
  const { config, request } = call;
  if (!hasStripe(config) || config.STRIPE_WEBHOOK_SECRET === '')
    throw new RequestError('NOT_FOUND', 'There is nothing at this path.');
  const body = await readBody(request, EVENT_BYTES_MAX);
  const signature = request.headers.get('stripe-signature') ?? '';
  const event = await readEvent(config, body, signature).catch((error: unknown) => {
    if (signature !== '') tellRefused(config, call.startedMs);
    throw error;
  });
  if (event.kind === 'checkout') await bookCheckout(directoryOf(call), event.checkout, call.startedMs);
  else if (event.kind !== 'other' && event.paymentId !== null) await noteTrouble(call, event, event.paymentId);
  return Response.json({});
}

/** A wrong secret is noticed by what the cron finds paid (`order_unannounced`): of an event, anyone may be the sender. */
const TOLD_AGAIN_MS = 60_000;
/** When it was last logged, by the variables of the isolate: one line a minute. */
const toldMs = new WeakMap<Config, number>();

function tellRefused(config: Config, nowMs: number): void {
  if (nowMs - (toldMs.get(config) ?? -Infinity) < TOLD_AGAIN_MS) return;
  toldMs.set(config, nowMs);
  log('warn', 'stripe_event_refused', {});
}

type Trouble = Extract<StripeEvent, { kind: 'refunded' | 'disputed' }>;

/** The operator decides about credits that may still be spent: `admin credits grant` with a minus. */
async function noteTrouble(call: Call, event: Trouble, paymentId: string): Promise<void> {
  const { env, config, startedMs } = call;
  const order = await orderPaidBy(directoryOf(call), config, paymentId, startedMs);
  // Not ours: another product sold through the same Stripe account.
  if (order === null) return;
  const { accountId, id: orderId, credits } = order;
  const about = { orderId, accountId, credits, amount: event.amount };
  if (event.kind === 'refunded') {
    await noteRefund(env.DB, paymentId, event.amount);
    log('error', 'order_refunded', about);
    return;
  }
  await noteDispute(env.DB, paymentId, event.state);
  if (event.state === 'open') log('error', 'order_disputed', about);
  else log('warn', 'order_dispute_ended', { ...about, state: event.state });
}
