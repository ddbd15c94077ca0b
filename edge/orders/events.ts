import { RequestError } from '../../schema/errors.ts';
import { readBody } from '../access/body.ts';
import type { Call } from '../call.ts';
import { log } from '../log.ts';
import { takeIn } from './book.ts';
import { orderOfPayment } from './orders.ts';
import { isBuying, readEvent } from './stripe.ts';

/** Stripe's own are far smaller. */
const EVENT_BYTES_MAX = 262_144;

/**
 * POST /stripe/events: what Stripe tells us. Answered with 200 once it is taken in, so that Stripe repeats what was not.
 * @throws RequestError NOT_FOUND if nothing can be bought here; INVALID_INPUT, BODY_TOO_LARGE
 */
export async function takeEvent(call: Call): Promise<Response> {
  const { config, env, request } = call;
  if (!isBuying(config) || config.STRIPE_WEBHOOK_SECRET === '')
    throw new RequestError('NOT_FOUND', 'There is nothing at this path.');
  const body = await readBody(request, EVENT_BYTES_MAX);
  const event = await readEvent(config, body, request.headers.get('stripe-signature') ?? '');
  switch (event.kind) {
    case 'checkout':
      await takeIn(env.DB, event.checkout, call.startedMs);
      break;
    case 'refunded':
    case 'disputed': {
      // What becomes of credits that may be spent is the operator's to decide: `admin credits grant` with a minus.
      const order = event.paymentId === null ? null : await orderOfPayment(env.DB, event.paymentId);
      const { accountId = null, id: orderId = null, credits = null } = order ?? {};
      log('error', `order_${event.kind}`, { orderId, accountId, credits, amount: event.amount });
      break;
    }
    case 'other':
  }
  return Response.json({});
}
