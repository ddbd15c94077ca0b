import type Stripe from 'stripe';
import { RequestError } from '../../schema/errors.ts';
import type { OneOrder, OrderEntry } from '../../schema/pages-api.ts';
import type { DisputeState } from '../../schema/words/stored.ts';
import type { Config } from '../base/config.ts';
import type { Order } from './orders.ts';

// The only file that uses Stripe. Only calls that need it load it: none of the API's do.

/** A checkout, as Stripe reports it. */
export type Checkout = {
  readonly id: string;
  /** Our order; null if it belongs to something else. */
  readonly orderId: string | null;
  readonly state: 'open' | 'paid' | 'expired';
  /** The price, without tax and before discounts. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly paymentId: string | null;
};

export type StripeEvent =
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  /** Money was refunded: `amount` is the total so far. */
  | { readonly kind: 'refunded'; readonly paymentId: string | null; readonly amount: number }
  /** The payer's bank wants money back, or has stopped asking for it. */
  | {
      readonly kind: 'disputed';
      readonly paymentId: string | null;
      readonly amount: number;
      readonly state: DisputeState;
    }
  | { readonly kind: 'other' };

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/** Whether Stripe can be asked: about what was ordered too, once nothing is sold any more. */
export function hasStripe({ STRIPE_SECRET_KEY }: Config): boolean {
  return STRIPE_SECRET_KEY !== '';
}

/** Whether anything can be bought here. */
export function sells(config: Config): boolean {
  return hasStripe(config) && config.PACKS.length > 0;
}

/** By the variables of the isolate. */
const clients = new WeakMap<Config, Promise<Stripe>>();

function clientOf(config: Config): Promise<Stripe> {
  const known = clients.get(config) ?? connect(config);
  clients.set(config, known);
  return known;
}

async function connect({ STRIPE_SECRET_KEY, STRIPE_URL }: Config): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const url = STRIPE_URL === '' ? null : new URL(STRIPE_URL);
  return new Client(STRIPE_SECRET_KEY, {
    httpClient: Client.createFetchHttpClient(),
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(url === null
      ? {}
      : { host: url.hostname, port: url.port, protocol: url.protocol === 'http:' ? 'http' : 'https' }),
  });
}

/**
 * Has Stripe create the page on which an order is paid. A repeated call for the same order returns the same page.
 * @param back the page to which Stripe sends the customer back
 * @param customer Stripe's name for whom the account bought as before; null: Stripe makes one
 * @throws what Stripe's client throws
 */
export async function openCheckout(
  config: Config,
  order: Order,
  back: string,
  customer: string | null,
): Promise<{ readonly id: string; readonly url: string }> {
  const stripe = await clientOf(config);
  const { id, credits, amount, currency, orderedBy } = order;
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: id,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency,
            unit_amount: amount,
            tax_behavior: 'exclusive',
            product_data: { name: `${credits.toLocaleString('en-US')} verification credits` },
          },
        },
      ],
      automatic_tax: { enabled: config.STRIPE_TAX === 'on' },
      tax_id_collection: { enabled: true },
      invoice_creation: { enabled: true },
      ...(customer === null
        ? { customer_creation: 'always', ...(orderedBy === null ? {} : { customer_email: orderedBy }) }
        : { customer, customer_update: { name: 'auto', address: 'auto' } }),
      success_url: `${back}?order=${id}`,
      cancel_url: `${back}?order=${id}&cancelled=1`,
    },
    { idempotencyKey: id },
  );
  if (session.url === null) throw new Error('Stripe created a checkout without a page');
  return { id: session.id, url: session.url };
}

/** The state of a checkout. @throws what Stripe's client throws */
export async function lookAtCheckout(config: Config, checkoutId: string): Promise<Checkout> {
  const stripe = await clientOf(config);
  return checkoutOf(await stripe.checkout.sessions.retrieve(checkoutId));
}

/** Addresses at Stripe: where an open checkout is paid, and the papers of a paid one; null while there are none. */
export type Papers = Omit<OneOrder, keyof OrderEntry>;

export const NO_PAPERS: Papers = { payUrl: null, invoiceUrl: null, receiptUrl: null };

/** @throws what Stripe's client throws */
export async function papersOf(config: Config, checkoutId: string): Promise<Papers> {
  const stripe = await clientOf(config);
  const expand = ['invoice', 'payment_intent.latest_charge'];
  const {
    status,
    url,
    invoice,
    payment_intent: payment,
  } = await stripe.checkout.sessions.retrieve(checkoutId, { expand });
  const charge = typeof payment === 'object' ? payment?.latest_charge : null;
  return {
    payUrl: status === 'open' ? url : null,
    invoiceUrl: typeof invoice === 'object' ? (invoice?.hosted_invoice_url ?? null) : null,
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
  };
}

/** Stripe's name for whom a checkout was paid by; null for none, or one deleted at Stripe. @throws what its client throws */
export async function customerOf(config: Config, checkoutId: string): Promise<string | null> {
  const stripe = await clientOf(config);
  const { customer } = await stripe.checkout.sessions.retrieve(checkoutId, { expand: ['customer'] });
  return typeof customer === 'object' && customer?.deleted !== true ? (customer?.id ?? null) : null;
}

/**
 * Stripe's own page for a customer's company, tax numbers and invoices. It is good for some minutes.
 * @throws what Stripe's client throws
 */
export async function portalOf(config: Config, customer: string, back: string): Promise<string> {
  const stripe = await clientOf(config);
  return (await stripe.billingPortal.sessions.create({ customer, return_url: back })).url;
}

/**
 * Ends an incomplete checkout, so that it can no longer be paid. One that was completed stays as it is.
 * @throws what Stripe's client throws
 */
export async function endCheckout(config: Config, checkoutId: string): Promise<Checkout> {
  const { sessions } = (await clientOf(config)).checkout;
  const found = await sessions.retrieve(checkoutId);
  if (found.status !== 'open') return checkoutOf(found);
  try {
    return checkoutOf(await sessions.expire(checkoutId));
  } catch (error) {
    // Another call ended it meanwhile, or it was paid.
    const now = await sessions.retrieve(checkoutId);
    if (now.status === 'open') throw error;
    return checkoutOf(now);
  }
}

/** The checkout that a payment belongs to; null if there is none. @throws what Stripe's client throws */
export async function checkoutOfPayment(config: Config, paymentId: string): Promise<Checkout | null> {
  const stripe = await clientOf(config);
  const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 });
  const [session] = data;
  return session === undefined ? null : checkoutOf(session);
}

/**
 * The meaning of an event, once its signature is proven and it is at most 5 minutes old.
 * @param body exactly as received
 * @throws RequestError INVALID_INPUT
 */
export async function readEvent(config: Config, body: Uint8Array, signature: string): Promise<StripeEvent> {
  const stripe = await clientOf(config);
  try {
    const event = await stripe.webhooks.constructEventAsync(body, signature, config.STRIPE_WEBHOOK_SECRET);
    return meaningOf(event);
  } catch {
    throw new RequestError('INVALID_INPUT', 'This event is not signed by Stripe, or is more than 5 minutes old.');
  }
}

/** How a closed dispute ended; an inquiry that came to nothing counts as won. */
const DISPUTES: Readonly<Partial<Record<Stripe.Dispute.Status, DisputeState>>> = {
  won: 'won',
  warning_closed: 'won',
  lost: 'lost',
};

/** The events needed for purchases, out of some three hundred kinds. */
function meaningOf(event: Stripe.Event): StripeEvent {
  if (
    event.type === 'checkout.session.completed' ||
    event.type === 'checkout.session.async_payment_succeeded' ||
    event.type === 'checkout.session.expired'
  )
    return { kind: 'checkout', checkout: checkoutOf(event.data.object) };
  if (event.type === 'checkout.session.async_payment_failed')
    return { kind: 'checkout', checkout: { ...checkoutOf(event.data.object), state: 'expired' } };
  if (event.type === 'charge.refunded') {
    const { payment_intent: payment, amount_refunded: amount } = event.data.object;
    return { kind: 'refunded', paymentId: idOf(payment), amount };
  }
  if (event.type === 'charge.dispute.created' || event.type === 'charge.dispute.closed') {
    const { payment_intent: payment, amount, status } = event.data.object;
    return { kind: 'disputed', paymentId: idOf(payment), amount, state: DISPUTES[status] ?? 'open' };
  }
  return { kind: 'other' };
}

function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  const { id, client_reference_id: orderId, payment_status: payment, status, payment_intent: paymentIntent } = session;
  return {
    id,
    orderId,
    state: payment === 'paid' ? 'paid' : status === 'expired' ? 'expired' : 'open',
    amount: session.amount_subtotal,
    currency: session.currency,
    paymentId: idOf(paymentIntent),
  };
}

function idOf(named: string | { readonly id: string } | null): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null);
}
