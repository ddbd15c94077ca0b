import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnFreePort } from './listening.ts';

// Stripe as far as a purchase needs it: checkouts that are made, looked at and paid on a page with a button, and events
// signed as Stripe signs them (https://docs.stripe.com/webhooks#verify-manually). Nothing is paid. Stripe's own
// stand-in, stripe-mock, keeps no state and sends no events.

const EVENTS_PATH = '/stripe/events';
const PAY_PATH = '/pay/';
const PORTAL_PATH = '/portal/';
const BODY_MAX = 65_536;

export type FakeStripe = {
  readonly url: string;
  /** The Worker's variables for it. */
  readonly variables: Readonly<Record<'STRIPE_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET', string>>;
  /** The requests that made a checkout, by form field, in their order. */
  readonly asked: readonly URLSearchParams[];
  /** Loses the events from now on, or no longer. */
  loseEvents(lost: boolean): void;
  /** Pays as the page's button does. @returns the event that was, or would have been, sent */
  pay(checkoutId: string): Promise<SignedEvent>;
  readonly close: () => Promise<void>;
};

export type SignedEvent = { readonly body: string; readonly signature: string };

type Session = {
  readonly id: string;
  readonly form: URLSearchParams;
  status: 'open' | 'complete' | 'expired';
  paymentIntent: string | null;
};

/** An event with the signature that Stripe would give it. @param atS when it is signed, in seconds since 1970 */
export function signEvent(event: object, secret: string, atS = Math.floor(Date.now() / 1000)): SignedEvent {
  const body = JSON.stringify(event);
  const v1 = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return { body, signature: `t=${atS},v1=${v1}` };
}

/** Starts one on a free port of 127.0.0.1. */
export async function startFakeStripe(): Promise<FakeStripe> {
  const stripe = new Stripe();
  const server = createServer((request, response) => {
    stripe.answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const { port, close } = await listenOnFreePort(server);
  stripe.url = `http://127.0.0.1:${port}`;
  const { url, secretKey: STRIPE_SECRET_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET } = stripe;
  return {
    url,
    variables: { STRIPE_URL: url, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET },
    asked: stripe.asked,
    loseEvents: (lost) => (stripe.losesEvents = lost),
    pay: (id) => stripe.pay(id),
    close,
  };
}

class Stripe {
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(12).toString('hex')}`;
  readonly asked: URLSearchParams[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #byKey = new Map<string, Session>();
  url = '';
  losesEvents = false;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const body = (await text(request)).slice(0, BODY_MAX);
    if (pathname.startsWith(PAY_PATH))
      return this.#answerPage(request, response, pathname.slice(PAY_PATH.length), body);
    if (pathname.startsWith(PORTAL_PATH)) {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Stripe’s page for billing details stands here.');
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.secretKey}`)
      return json(response, 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    if (pathname === '/v1/billing_portal/sessions') {
      const customer = new URLSearchParams(body).get('customer') ?? '';
      return json(response, 200, { object: 'billing_portal.session', url: `${this.url}${PORTAL_PATH}${customer}` });
    }
    const [, id, verb] = /^\/v1\/checkout\/sessions(?:\/(\w+)(\/expire)?)?$/.exec(pathname) ?? [null, null];
    if (id === undefined && request.method === 'POST') return json(response, 200, this.#make(request, body));
    if (id === undefined) return json(response, 200, this.#paidBy(searchParams.get('payment_intent')));
    const session = this.#sessions.get(id ?? '');
    if (session !== undefined && verb !== undefined && !expire(session))
      return json(response, 400, { error: { type: 'invalid_request_error', message: 'Only open sessions expire' } });
    const expand = [...searchParams].flatMap(([name, value]) => (name.startsWith('expand') ? [value] : []));
    if (session !== undefined) return json(response, 200, this.#shown(session, expand));
    return json(response, 404, { error: { type: 'invalid_request_error', message: 'No such checkout.session' } });
  }

  /** The same key gives the same checkout. */
  #make(request: IncomingMessage, body: string): object {
    const key = String(request.headers['idempotency-key'] ?? randomBytes(8).toString('hex'));
    const known = this.#byKey.get(key);
    if (known !== undefined) return this.#shown(known);
    const form = new URLSearchParams(body);
    this.asked.push(form);
    const id = `cs_test_${randomBytes(24).toString('hex')}`;
    const session: Session = { id, form, status: 'open', paymentIntent: null };
    this.#byKey.set(key, session);
    this.#sessions.set(id, session);
    return this.#shown(session);
  }

  /** A list as Stripe gives it, of the checkout that this payment paid. */
  #paidBy(payment: string | null): object {
    const paid = [...this.#sessions.values()].filter(
      ({ paymentIntent }) => payment !== null && paymentIntent === payment,
    );
    return { object: 'list', has_more: false, data: paid.map((session) => this.#shown(session)) };
  }

  #shown({ id, form, status, paymentIntent }: Session, expand: readonly string[] = []): object {
    const isPaid = paymentIntent !== null;
    const page = `${this.url}${PAY_PATH}${id}`;
    const customer = isPaid ? (form.get('customer') ?? `cus_${id}`) : null;
    const charge = { id: `ch_${id}`, receipt_url: `${page}#receipt` };
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
    return {
      id,
      object: 'checkout.session',
      client_reference_id: form.get('client_reference_id'),
      amount_subtotal: amount,
      amount_total: amount,
      currency: form.get('line_items[0][price_data][currency]'),
      payment_status: isPaid ? 'paid' : 'unpaid',
      payment_intent:
        isPaid && expand.includes('payment_intent.latest_charge')
          ? { id: paymentIntent, latest_charge: charge }
          : paymentIntent,
      customer: isPaid && expand.includes('customer') ? { id: customer } : customer,
      invoice: isPaid ? { id: `in_${id}`, hosted_invoice_url: `${page}#invoice` } : null,
      status,
      url: status === 'open' ? page : null,
    };
  }

  async pay(id: string): Promise<SignedEvent> {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error(`no checkout ${id}`);
    session.status = 'complete';
    session.paymentIntent ??= `pi_${randomBytes(12).toString('hex')}`;
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: this.#shown(session) },
    };
    const signed = signEvent(event, this.webhookSecret);
    if (!this.losesEvents) await this.#send(session, signed);
    return signed;
  }

  /** To the service whose pages the customer came from. */
  async #send({ form }: Session, { body, signature }: SignedEvent): Promise<void> {
    const url = new URL(EVENTS_PATH, form.get('success_url') ?? '');
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`the service answered an event with ${answer.status}`);
  }

  async #answerPage(request: IncomingMessage, response: ServerResponse, id: string, body: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such checkout.');
    } else if (session.status === 'expired') {
      response.writeHead(410, { 'content-type': 'text/plain' }).end('This checkout has expired.');
    } else if (request.method === 'POST') {
      const pays = new URLSearchParams(body).get('do') === 'pay';
      if (pays) await this.pay(id);
      const location = session.form.get(pays ? 'success_url' : 'cancel_url') ?? '/';
      response.writeHead(303, { location }).end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(payPage(session));
    }
  }
}

/** @returns false for one that is not open */
function expire(session: Session): boolean {
  if (session.status !== 'open') return false;
  session.status = 'expired';
  return true;
}

function payPage({ form }: Session): string {
  const name = form.get('line_items[0][price_data][product_data][name]') ?? '';
  const amount = Number(form.get('line_items[0][price_data][unit_amount]')) / 100;
  const currency = form.get('line_items[0][price_data][currency]') ?? 'eur';
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Sandbox checkout</title>
<body style="font: 1.1rem/1.5 system-ui; max-width: 28rem; margin: 4rem auto; padding: 0 1rem">
<h1>Sandbox checkout</h1><p>This page stands in for Stripe. Nothing is paid.</p>
<p><strong>${escape(name)}</strong>, ${escape(price)}</p>
<form method="post"><button name="do" value="pay">Pay</button> <button name="do" value="cancel">Go back</button></form>
</body></html>
`;
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
