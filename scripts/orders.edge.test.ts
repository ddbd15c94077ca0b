import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { Browser } from '../edge/testing/browser.ts';
import { type Edge, startEdge, withVars } from '../edge/testing/edge.ts';
import { type FakeStripe, type SignedEvent, signEvent, startFakeStripe } from './sandbox/fake-stripe.ts';

// A purchase with everything but Stripe itself: the Worker with Stripe's own client, and a stand-in that keeps state and
// signs its events as Stripe does.

const PACKS = [{ id: 'small', credits: 10_000, amount: 4_900, currency: 'eur' }];

let stripe: FakeStripe;
let edge: Edge;
beforeAll(async () => {
  stripe = await startFakeStripe();
  edge = await startEdge({ ...stripe.variables, PACKS: JSON.stringify(PACKS) });
});
afterAll(async () => {
  await edge.stop();
  await stripe.close();
});

let people = 0;
async function newOwner(): Promise<Browser> {
  const browser = new Browser(edge);
  await browser.signIn(`buyer-${(people += 1)}@people.test`);
  return browser;
}

type Ordered = { readonly id: string; readonly checkout: string };
async function order(browser: Browser, headers: Readonly<Record<string, string>> = {}): Promise<Ordered> {
  const { status, body } = await browser.ask('POST', 'orders', { pack: 'small' }, headers);
  expect(status).toBe(201);
  const { id, url } = Object(body);
  return { id, checkout: url.slice(url.lastIndexOf('/') + 1) };
}

/** An order whose account was deleted then. */
async function deleted(): Promise<Ordered> {
  const browser = await newOwner();
  const ordered = await order(browser);
  expect((await browser.ask('DELETE', 'me', { email: `buyer-${people}@people.test` })).status).toBe(200);
  return ordered;
}

async function credits(browser: Browser): Promise<number> {
  return Object((await browser.ask('GET', 'balance')).body).credits;
}

async function stateOf(browser: Browser, id: string): Promise<string> {
  return Object((await browser.ask('GET', `orders/${id}`)).body).state;
}

async function send({ body, signature }: SignedEvent): Promise<number> {
  const headers = { 'stripe-signature': signature };
  return (await fetch(new URL('/stripe/events', edge.url), { method: 'POST', headers, body })).status;
}

/** Pays a checkout of which the service hears nothing. @returns the event that was lost */
async function payUnheard(checkout: string): Promise<SignedEvent> {
  stripe.loseEvents(true);
  const event = await stripe.pay(checkout);
  stripe.loseEvents(false);
  return event;
}

async function rowsOf(id: string): Promise<readonly unknown[]> {
  const db = await edge.db();
  return (await db.prepare('SELECT kind, delta FROM ledger WHERE ref_id = ?').bind(id).all()).results;
}

async function troubleOf(id: string): Promise<unknown> {
  const db = await edge.db();
  return db.prepare('SELECT state, refunded, dispute FROM orders WHERE id = ?').bind(id).first();
}

function paymentOf({ body }: SignedEvent): string {
  return JSON.parse(body).data.object.payment_intent;
}

const BOOKED = [{ kind: 'purchase', delta: 10_000 }];

describe('a purchase', () => {
  it('is offered, ordered, paid and booked', async () => {
    const browser = await newOwner();
    expect((await browser.ask('GET', 'me')).body).toMatchObject({ features: { buying: { packs: PACKS } } });
    const { id, checkout } = await order(browser);
    expect([await stateOf(browser, id), await credits(browser)]).toEqual(['open', 0]);
    await stripe.pay(checkout);
    const { body } = await browser.ask('GET', 'orders');
    expect(body).toMatchObject({
      orders: [{ id, state: 'paid', credits: 10_000, amount: 4_900, currency: 'eur' }],
    });
    expect([await credits(browser), await rowsOf(id)]).toEqual([10_000, BOOKED]);
    expect((await browser.ask('GET', `orders/${id}`)).body).toMatchObject({
      state: 'paid',
      payUrl: null,
      invoiceUrl: expect.stringContaining(`${checkout}#invoice`),
      receiptUrl: expect.stringContaining(`${checkout}#receipt`),
    });
  });

  it('tells Stripe whose it is, what it costs without tax, and to write the invoice', async () => {
    const browser = await newOwner();
    const { id } = await order(browser);
    const asked = Object.fromEntries(stripe.asked.find((form) => form.get('client_reference_id') === id) ?? []);
    expect(asked).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '4900',
      'line_items[0][price_data][tax_behavior]': 'exclusive',
      'line_items[0][price_data][product_data][name]': '10,000 verification credits',
      'automatic_tax[enabled]': 'true',
      'tax_id_collection[enabled]': 'true',
      'invoice_creation[enabled]': 'true',
      customer_email: `buyer-${people}@people.test`,
      customer_creation: 'always',
      success_url: `${edge.url.origin}/balance?order=${id}`,
    });
  });

  it.each([
    ['/lists/3f0c9f5e-7d5b-4a53-9f5e-0a1b2c3d4e5f', '/lists/3f0c9f5e-7d5b-4a53-9f5e-0a1b2c3d4e5f'],
    ['/verify', '/verify'],
    ['//evil.example', '/balance'],
    ['.evil.example/', '/balance'],
    ['@evil.example/', '/balance'],
    ['/\\evil.example', '/balance'],
    ['javascript:alert(1)', '/balance'],
  ])('begun for %s leads back to %s', async (back, to) => {
    const { body } = await (await newOwner()).ask('POST', 'orders', { pack: 'small', back });
    const asked = stripe.asked.find((form) => form.get('client_reference_id') === Object(body).id);
    const ways = [asked?.get('success_url'), asked?.get('cancel_url')];
    const { id } = Object(body);
    expect(ways).toEqual([`${edge.url.origin}${to}?order=${id}`, `${edge.url.origin}${to}?order=${id}&cancelled=1`]);
  });

  it('can be paid later, or removed, after which it can be paid no more', async () => {
    const [browser, stranger] = [await newOwner(), await newOwner()];
    const [kept, gone] = [await order(browser), await order(browser)];
    const { payUrl } = Object((await browser.ask('GET', `orders/${kept.id}`)).body);
    expect([payUrl, (await fetch(payUrl)).status]).toEqual([expect.stringContaining(kept.checkout), 200]);
    expect((await stranger.ask('DELETE', `orders/${gone.id}`)).status).toBe(404);
    expect((await browser.ask('DELETE', `orders/${gone.id}`)).status).toBe(200);
    expect((await fetch(`${stripe.url}/pay/${gone.checkout}`)).status).toBe(410);
    expect((await browser.ask('GET', 'orders')).body).toMatchObject({ orders: [{ id: kept.id, state: 'open' }] });
  });

  it('that is paid while it is removed is booked, and stays', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    await payUnheard(checkout);
    expect((await browser.ask('DELETE', `orders/${id}`)).status).toBe(409);
    expect([await stateOf(browser, id), await credits(browser)]).toEqual(['paid', 10_000]);
    expect((await browser.ask('DELETE', `orders/${id}`)).status).toBe(409);
    expect(await credits(browser)).toBe(10_000);
  });

  it('is removed by several tabs at once, and nobody is told that Stripe is away', async () => {
    const browser = await newOwner();
    const { id } = await order(browser);
    const tabs = await Promise.all([1, 2, 3].map(() => browser.ask('DELETE', `orders/${id}`)));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(edge.logs.filter((line) => line.includes('stripe_unreachable') && line.includes(id))).toEqual([]);
  });

  it("keeps the company's details at Stripe: the next one is for the same customer, whose page only owners open", async () => {
    const browser = await newOwner();
    const unpaid = await order(browser);
    expect((await browser.ask('POST', 'billing', {})).status).toBe(409);
    await stripe.pay(unpaid.checkout);
    const customer = `cus_${unpaid.checkout}`;
    const { status, body } = await browser.ask('POST', 'billing', {});
    expect([status, body]).toEqual([200, { url: `${stripe.url}/portal/${customer}` }]);
    const { id } = await order(browser);
    const asked = Object.fromEntries(stripe.asked.find((form) => form.get('client_reference_id') === id) ?? []);
    expect(asked).toMatchObject({ customer, 'customer_update[name]': 'auto', 'customer_update[address]': 'auto' });
    expect([asked['customer_email'], asked['customer_creation']]).toEqual([undefined, undefined]);
    expect((await (await newOwner()).ask('POST', 'billing', {})).status).toBe(409);
  });

  it('is taxed by Stripe unless its seller says that there is no tax', async () => {
    const { id } = await order(await newOwner(), withVars({ STRIPE_TAX: 'off' }));
    const asked = stripe.asked.find((form) => form.get('client_reference_id') === id);
    expect(asked?.get('automatic_tax[enabled]')).toBe('false');
  });

  it('is booked once if its event comes again and again, also at once, and if Stripe is asked meanwhile', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const event = await payUnheard(checkout);
    const all = await Promise.all([send(event), send(event), browser.ask('GET', `orders/${id}`), send(event)]);
    expect(all.filter((status) => status === 200)).toHaveLength(3);
    expect(await send(event)).toBe(200);
    expect([await credits(browser), await rowsOf(id)]).toEqual([10_000, BOOKED]);
  });

  it('is booked though its event was lost: when the customer comes back', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    await payUnheard(checkout);
    await (await edge.db()).prepare('UPDATE orders SET asked_at = 0 WHERE id = ?').bind(id).run();
    expect(await stateOf(browser, id)).toBe('paid');
    expect(await credits(browser)).toBe(10_000);
  });

  it('is booked though its event was lost: by the cron, ten minutes later and not before', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    await payUnheard(checkout);
    const worker = await edge.mf.getWorker('edge');
    await worker.scheduled();
    expect(await rowsOf(id)).toEqual([]);
    const db = await edge.db();
    await db
      .prepare('UPDATE orders SET asked_at = asked_at - 601000, created_at = created_at - 601000 WHERE id = ?')
      .bind(id)
      .run();
    await worker.scheduled();
    expect(await rowsOf(id)).toEqual(BOOKED);
    // So that a wrong STRIPE_WEBHOOK_SECRET is noticed; who sends a wrong signature alarms nobody.
    const told = edge.logs.filter((line) => line.includes('order_unannounced') && line.includes(id));
    expect(told).toEqual([expect.stringContaining('"level":"error"')]);
  });

  it('that is under way when nothing is sold any more is booked all the same', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const { body, signature } = await payUnheard(checkout);
    const headers = { 'stripe-signature': signature, ...withVars({ PACKS: '[]' }) };
    expect((await fetch(new URL('/stripe/events', edge.url), { method: 'POST', headers, body })).status).toBe(200);
    expect([await rowsOf(id), await stateOf(browser, id)]).toEqual([BOOKED, 'paid']);
  });

  it('that is not paid books nothing, and expires with its checkout', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const session = {
      id: checkout,
      client_reference_id: id,
      payment_status: 'unpaid',
      status: 'complete',
      payment_intent: null,
    };
    const about = (type: string, change: object = {}) =>
      signEvent(
        { id: 'evt_1', type, data: { object: { ...session, ...change } } },
        stripe.variables.STRIPE_WEBHOOK_SECRET,
      );
    expect(await send(about('checkout.session.completed'))).toBe(200);
    expect([await stateOf(browser, id), await rowsOf(id)]).toEqual(['open', []]);
    expect(await send(about('checkout.session.expired', { status: 'expired' }))).toBe(200);
    expect([await stateOf(browser, id), await rowsOf(id)]).toEqual(['expired', []]);
    // A bank transfer that comes late is paid all the same.
    const paid = { payment_status: 'paid', amount_subtotal: 4_900, currency: 'eur', payment_intent: 'pi_late' };
    expect(await send(about('checkout.session.async_payment_succeeded', paid))).toBe(200);
    expect([await stateOf(browser, id), await rowsOf(id)]).toEqual(['paid', BOOKED]);
  });

  it('gives the credits of the order, not of the event, and nothing if another price was paid', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const session = {
      id: checkout,
      client_reference_id: id,
      payment_status: 'paid',
      status: 'complete',
      payment_intent: 'pi_x',
    };
    const event = (change: object) =>
      signEvent(
        {
          id: 'evt_2',
          type: 'checkout.session.completed',
          data: { object: { ...session, currency: 'eur', ...change } },
        },
        stripe.variables.STRIPE_WEBHOOK_SECRET,
      );
    expect(await send(event({ amount_subtotal: 1 }))).toBe(200);
    expect(await send(event({ amount_subtotal: 4_900, currency: 'jpy' }))).toBe(200);
    expect([await rowsOf(id), await stateOf(browser, id)]).toEqual([[], 'open']);
    expect(edge.logs.filter((line) => line.includes('order_amount_differs') && line.includes(id))).toHaveLength(2);
    expect(await send(event({ amount_subtotal: 4_900, metadata: { credits: '99999999' } }))).toBe(200);
    expect(await rowsOf(id)).toEqual(BOOKED);
  });

  it('that is refunded in parts, or disputed, says so to the operator, in any order of events, and takes nothing', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const payment = paymentOf(await stripe.pay(checkout));
    const tell = async (type: string, object: object): Promise<unknown> => {
      const event = { type: `charge.${type}`, data: { object: { payment_intent: payment, ...object } } };
      expect(await send(signEvent(event, stripe.variables.STRIPE_WEBHOOK_SECRET))).toBe(200);
      return troubleOf(id);
    };
    expect(await tell('refunded', { amount_refunded: 3_000 })).toEqual({
      state: 'paid',
      refunded: 3_000,
      dispute: null,
    });
    const line = edge.logs.find((text) => text.includes('order_refunded') && text.includes(id));
    const whole = { level: 'error', orderId: id, credits: 10_000, amount: 3_000 };
    expect(JSON.parse(line ?? 'null')).toMatchObject(whole);
    expect(await tell('refunded', { amount_refunded: 1_000 })).toMatchObject({ refunded: 3_000 });
    // More than was paid without tax: the tax comes back as well.
    expect(await tell('refunded', { amount_refunded: 5_831 })).toMatchObject({ refunded: 5_831 });
    expect(await tell('dispute.closed', { amount: 4_900, status: 'lost' })).toMatchObject({ dispute: 'lost' });
    expect(await tell('dispute.created', { amount: 4_900, status: 'needs_response' })).toMatchObject({
      dispute: 'lost',
    });
    expect(edge.logs.some((text) => text.includes('order_disputed') && text.includes(id))).toBe(true);
    expect(await credits(browser)).toBe(10_000);
  });

  it('is booked by its refund if that is heard of first: the operator learns whose it is', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const paid = await payUnheard(checkout);
    const object = { payment_intent: paymentOf(paid), amount_refunded: 4_900 };
    const refund = signEvent({ type: 'charge.refunded', data: { object } }, stripe.variables.STRIPE_WEBHOOK_SECRET);
    expect(await send(refund)).toBe(200);
    expect(edge.logs.some((line) => line.includes('order_refunded') && line.includes(id))).toBe(true);
    expect(await troubleOf(id)).toEqual({ state: 'paid', refunded: 4_900, dispute: null });
    expect([await send(paid), await send(refund)]).toEqual([200, 200]);
    expect(await rowsOf(id)).toEqual(BOOKED);
  });

  it('stays paid if an earlier event says late that it expired or failed', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    await stripe.pay(checkout);
    const object = { id: checkout, client_reference_id: id, payment_status: 'unpaid', status: 'expired' };
    for (const type of ['expired', 'async_payment_failed']) {
      const late = { type: `checkout.session.${type}`, data: { object } };
      expect(await send(signEvent(late, stripe.variables.STRIPE_WEBHOOK_SECRET))).toBe(200);
    }
    expect([await stateOf(browser, id), await rowsOf(id)]).toEqual(['paid', BOOKED]);
  });
});

describe('an account that is deleted', () => {
  it('has its open checkouts ended at Stripe, so that nobody pays them', async () => {
    const { id, checkout } = await deleted();
    await vi.waitFor(async () => expect(await troubleOf(id)).toMatchObject({ state: 'expired' }));
    expect((await fetch(`${stripe.url}/pay/${checkout}`, { method: 'POST', body: 'do=pay' })).status).toBe(410);
    expect(await rowsOf(id)).toEqual([]);
  });

  it('has them ended by the cron if Stripe could not be reached then', async () => {
    const { id, checkout } = await order(await newOwner());
    const db = await edge.db();
    await db
      .prepare('DELETE FROM memberships WHERE account_id = (SELECT account_id FROM orders WHERE id = ?)')
      .bind(id)
      .run();
    await db.prepare('UPDATE orders SET asked_at = 0 WHERE id = ?').bind(id).run();
    await (await edge.mf.getWorker('edge')).scheduled();
    expect(await troubleOf(id)).toMatchObject({ state: 'expired' });
    expect((await fetch(`${stripe.url}/pay/${checkout}`, { method: 'POST', body: 'do=pay' })).status).toBe(410);
  });

  it('and paid all the same pages the operator', async () => {
    const { id, checkout } = await deleted();
    await vi.waitFor(async () => expect(await troubleOf(id)).toMatchObject({ state: 'expired' }));
    await stripe.pay(checkout);
    const line = edge.logs.find((text) => text.includes('order_paid_closed') && text.includes(id));
    expect(JSON.parse(line ?? 'null')).toMatchObject({ level: 'error', checkoutId: checkout, credits: 10_000 });
    expect(edge.logs.some((text) => text.includes('"order_paid"') && text.includes(id))).toBe(false);
  });
});

describe('an attacker', () => {
  it('gets no credits for something else that they paid for under the reference of an order', async () => {
    const browser = await newOwner();
    const { id } = await order(browser);
    // A payment link of the same Stripe account: its payer chooses the reference, and here it costs the same.
    const about = (type: string, change: object): SignedEvent => {
      const object = {
        id: 'cs_live_shirt',
        client_reference_id: id,
        amount_subtotal: 4_900,
        currency: 'eur',
        ...change,
      };
      return signEvent({ type, data: { object } }, stripe.variables.STRIPE_WEBHOOK_SECRET);
    };
    const paid = { payment_status: 'paid', status: 'complete', payment_intent: 'pi_shirt' };
    expect(await send(about('checkout.session.completed', paid))).toBe(200);
    expect(await send(about('checkout.session.expired', { payment_status: 'unpaid', status: 'expired' }))).toBe(200);
    expect([await stateOf(browser, id), await rowsOf(id), await credits(browser)]).toEqual(['open', [], 0]);
    expect(edge.logs.filter((line) => line.includes('order_checkout_differs') && line.includes(id))).toHaveLength(1);
  });

  it('forges no event: another secret, a changed body, an old signature, none at all', async () => {
    const browser = await newOwner();
    const { id, checkout } = await order(browser);
    const { body, signature } = await payUnheard(checkout);
    const secret = stripe.variables.STRIPE_WEBHOOK_SECRET;
    const now = Math.floor(Date.now() / 1000);
    const bad: readonly SignedEvent[] = [
      signEvent(JSON.parse(body), 'whsec_guessed'),
      { body: body.replace(id, 'ord_other'), signature },
      { body, signature: signature.replace(/v1=../, 'v1=00') },
      { body, signature: signature.replace(/t=\d+/, `t=${now + 1}`) },
      signEvent(JSON.parse(body), secret, now - 301),
      { body, signature: `t=${now}` },
      { body, signature: '' },
      { body: 'x'.repeat(300_000), signature },
    ];
    for (const event of bad) expect([400, 413]).toContain(await send(event));
    expect(await rowsOf(id)).toEqual([]);
    expect(await send(signEvent(JSON.parse(body), secret, now - 290))).toBe(200);
    expect(await rowsOf(id)).toEqual(BOOKED);
  });

  it('sees no order of another account by its id, and has Stripe asked about none', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const { id } = await order(owner);
    expect((await stranger.ask('GET', `orders/${id}`)).status).toBe(404);
    expect((await stranger.ask('GET', 'orders')).body).toEqual({ orders: [] });
  });

  it('opens twenty checkouts at most, and none of a pack that is not offered', async () => {
    const browser = await newOwner();
    for (const pack of ['', 'large', '../small'])
      expect((await browser.ask('POST', 'orders', { pack })).status).toBe(404);
    expect((await browser.ask('POST', 'orders', { pack: 'small', credits: 1_000_000 })).status).toBe(400);
    const statuses = [];
    for (let i = 0; i < 21; i += 1) statuses.push((await browser.ask('POST', 'orders', { pack: 'small' })).status);
    expect(statuses.slice(-2)).toEqual([201, 429]);
  });
});

const timesTold = (): number => edge.logs.filter((line) => line.includes('stripe_event_refused')).length;

test('events that are refused are logged once a minute; those without a signature are not', async () => {
  const wrong = { 'x-testing-vars': JSON.stringify({ STRIPE_WEBHOOK_SECRET: 'whsec_of_another_endpoint' }) };
  const post = (headers: Record<string, string>) =>
    fetch(new URL('/stripe/events', edge.url), { method: 'POST', headers: { ...wrong, ...headers }, body: '{}' });
  const before = timesTold();
  const { signature } = signEvent({}, stripe.variables.STRIPE_WEBHOOK_SECRET);
  expect((await post({})).status).toBe(400);
  expect(timesTold()).toBe(before);
  for (let n = 0; n < 20; n += 1) expect((await post({ 'stripe-signature': signature })).status).toBe(400);
  await expect.poll(timesTold).toBeGreaterThan(before);
  expect(timesTold()).toBeLessThan(before + 20);
});

describe('without a key of Stripe', () => {
  it('nothing is offered, ordered or heard', async () => {
    const browser = await newOwner();
    const off = { 'x-testing-vars': JSON.stringify({ STRIPE_SECRET_KEY: '' }) };
    expect((await browser.ask('GET', 'me', undefined, off)).body).toMatchObject({ features: { buying: null } });
    expect((await browser.ask('POST', 'orders', { pack: 'small' }, off)).status).toBe(404);
    const heard = await fetch(new URL('/stripe/events', edge.url), { method: 'POST', headers: off, body: '{}' });
    expect(heard.status).toBe(404);
  });

  it('and while Stripe is away an order waits for a day, and the customer is told', async () => {
    const browser = await newOwner();
    const away = { 'x-testing-vars': JSON.stringify({ STRIPE_URL: 'http://127.0.0.1:9' }) };
    const { status, body } = await browser.ask('POST', 'orders', { pack: 'small' }, away);
    expect([status, body]).toMatchObject([503, { error: expect.stringContaining('Stripe cannot be reached') }]);
    expect((await browser.ask('GET', 'orders')).body).toMatchObject({ orders: [{ state: 'open' }] });
    await (await edge.db()).prepare('UPDATE orders SET created_at = created_at - 90000001').run();
    await (await edge.mf.getWorker('edge')).scheduled();
    expect((await browser.ask('GET', 'orders')).body).toEqual({ orders: [] });
  });
});
