import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { expiryOf } from '../ledger/expiry.ts';
import { grant } from '../ledger/grant.ts';
import { peopleIn } from '../testing/people-in.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { bookCheckout } from './book.ts';
import {
  claimOpenOrders,
  expireOrder,
  listOrders,
  markPaid,
  nameCheckout,
  noteDispute,
  noteRefund,
  placeOrder,
  readOrder,
} from './orders.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PACK = { id: 'small', credits: 1_000, amount: 4_900, currency: 'eur' };

let database: TestDatabase;
let db: TestDatabase['db'];
beforeEach(() => {
  database = openTestDatabase();
  ({ db } = database);
  const world = peopleIn(database);
  world.person('ann');
  for (const id of ['acme', 'other']) world.account(id, { ann: 'owner' });
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An order that Stripe has a checkout for. */
async function place(accountId = 'acme', checkoutId: string | null = 'cs_1'): Promise<string> {
  const order = await placeOrder(db, { accountId, personId: 'ann', pack: PACK });
  if (order === null) throw new Error('not placed');
  if (checkoutId !== null) await nameCheckout(db, order.id, checkoutId);
  return order.id;
}

const checkout = (orderId: string | null, more: object = {}) =>
  ({ id: 'cs_1', orderId, state: 'paid', amount: 4_900, currency: 'eur', paymentId: 'pi_1', ...more }) as const;

const credits = (account = 'acme') =>
  database.rows(`SELECT balance FROM accounts WHERE id = '${account}'`)[0]?.['balance'];
const booked = () => database.rows('SELECT account_id AS account, kind, delta FROM ledger');
const states = () => database.rows('SELECT state, payment_id AS payment FROM orders ORDER BY created_at, rowid');
const trouble = () => database.rows('SELECT refunded, dispute FROM orders ORDER BY payment_id');
const told = () => vi.mocked(console.error).mock.calls.map(([line]) => String(JSON.parse(String(line)).event));

describe('a checkout', () => {
  test('books nothing when paid for an unknown order, and the operator is told', async () => {
    await place();
    await bookCheckout(database.home, checkout('ord_none'), database.now());
    expect([credits(), booked(), told()]).toEqual([0, [], ['order_unknown']]);
    expect(states()).toEqual([{ state: 'open', payment: null }]);
  });

  test("is ignored without a reference, or if unpaid and not the order's own", async () => {
    const id = await place();
    await bookCheckout(database.home, checkout(null), database.now());
    await bookCheckout(database.home, checkout('ord_none', { state: 'expired' }), database.now());
    await bookCheckout(database.home, checkout(id, { id: 'cs_9', state: 'expired' }), database.now());
    expect([credits(), told(), states()]).toEqual([0, [], [{ state: 'open', payment: null }]]);
  });
});

describe('a paid order', () => {
  test.each([
    ['in time and paid after the expiry keeps the credits from before', 363, 367, 1_500],
    ['after the expiry writes them off', 366, 367, 1_000],
    ['in time and paid more than thirty days later writes them off', 363, 394, 1_000],
  ])('that was placed %s', async (_what, orderedDay, paidDay, balance) => {
    await grant(db, { accountId: 'acme', purchaseId: 'first', credits: 500, nowMs: database.now() });
    database.pass(orderedDay * DAY_MS);
    const id = await place();
    database.pass((paidDay - orderedDay) * DAY_MS);
    for (let times = 0; times < 2; times += 1) await bookCheckout(database.home, checkout(id), database.now());
    const expiry = database.rows("SELECT expires_at AS at FROM accounts WHERE id = 'acme'");
    expect([credits(), expiry]).toEqual([balance, [{ at: expiryOf(database.now()) }]]);
  });

  test('is logged', async () => {
    await bookCheckout(database.home, checkout(await place()), database.now());
    expect([told(), vi.mocked(console.info).mock.calls.map(([line]) => JSON.parse(String(line)).event)]).toEqual([
      [],
      ['order_paid'],
    ]);
  });
});

describe('an order', () => {
  test("is refused while the account has twenty unpaid ones, removed ones of a day too, but not others'", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await place());
    expect(await placeOrder(db, { accountId: 'acme', personId: 'ann', pack: PACK })).toBe(null);
    expect(await placeOrder(db, { accountId: 'other', personId: 'ann', pack: PACK })).not.toBe(null);
    await expireOrder(db, ids[0] ?? '');
    expect(await placeOrder(db, { accountId: 'acme', personId: 'ann', pack: PACK })).toBe(null);
    database.pass(DAY_MS);
    expect(await placeOrder(db, { accountId: 'acme', personId: 'ann', pack: PACK })).not.toBe(null);
  });

  test('is only paid by its own credits in its own account’s ledger', async () => {
    const id = await place();
    const grants = [
      { accountId: 'acme', purchaseId: 'something-else', credits: 1_000, nowMs: database.now() },
      { accountId: 'other', purchaseId: id, credits: 1_000, nowMs: database.now() },
    ];
    for (const purchase of grants) {
      await grant(db, purchase);
      await markPaid(db, id, 'pi_1').run();
      expect(states()).toEqual([{ state: 'open', payment: null }]);
    }
    await grant(db, { accountId: 'acme', purchaseId: id, credits: 999, nowMs: database.now() });
    await markPaid(db, id, 'pi_1').run();
    expect(states()).toEqual([{ state: 'open', payment: null }]);
  });

  test('keeps its first payment', async () => {
    const id = await place();
    await bookCheckout(database.home, checkout(id), database.now());
    await markPaid(db, id, 'pi_2').run();
    expect(states()).toEqual([{ state: 'paid', payment: 'pi_1' }]);
  });

  test('is listed with its account, newest first', async () => {
    const first = await place();
    database.pass(1);
    const second = await place('acme', 'cs_2');
    await place('other', 'cs_3');
    expect((await listOrders(db, 'acme')).map(({ id }) => id)).toEqual([second, first]);
    expect(await readOrder(db, first)).toMatchObject({ orderedBy: 'ann@x.test', credits: 1_000, checkoutId: 'cs_1' });
  });
});

describe('refunds and disputes', () => {
  beforeEach(async () => {
    for (const [n, account] of ['acme', 'other'].entries()) {
      const id = await place(account, `cs_${n}`);
      await bookCheckout(database.home, checkout(id, { id: `cs_${n}`, paymentId: `pi_${n}` }), database.now());
    }
  });

  test('are recorded with their own payment only, and never shrink', async () => {
    for (const amount of [500, 2_000, 1_000]) await noteRefund(db, 'pi_0', amount);
    expect(trouble()).toEqual([
      { refunded: 2_000, dispute: null },
      { refunded: 0, dispute: null },
    ]);
  });

  test.each([
    [['open'], 'open'],
    [['open', 'won'], 'won'],
    [['lost', 'open'], 'lost'],
    [['won', 'lost'], 'lost'],
  ] as const)('%j leave the dispute %s', async (said, stands) => {
    for (const state of said) await noteDispute(db, 'pi_1', state);
    expect(trouble()).toEqual([
      { refunded: 0, dispute: null },
      { refunded: 0, dispute: stands },
    ]);
  });
});

describe('an open order', () => {
  test('is looked up after ten minutes, by one caller, and less often the older it is', async () => {
    const id = await place();
    expect(await claimOpenOrders(db)).toEqual([]);
    database.pass(10 * MINUTE_MS + 1);
    expect(await claimOpenOrders(db)).toEqual([id]);
    expect(await claimOpenOrders(db)).toEqual([]);
    database.pass(10 * HOUR_MS);
    expect(await claimOpenOrders(db)).toEqual([id]);
    database.pass(59 * MINUTE_MS);
    expect(await claimOpenOrders(db)).toEqual([]);
    database.pass(10 * MINUTE_MS);
    expect(await claimOpenOrders(db)).toEqual([id]);
  });

  test('is looked up for thirty days, and not once it has ended', async () => {
    const id = await place();
    const ended = await place('acme', 'cs_2');
    await expireOrder(db, ended);
    database.pass(30 * DAY_MS - 1);
    expect(await claimOpenOrders(db)).toEqual([id]);
    database.pass(4 * DAY_MS);
    expect(await claimOpenOrders(db)).toEqual([]);
  });

  test('unknown to Stripe expires once a checkout would have, and any other does not', async () => {
    const nameless = await place('acme', null);
    const named = await place('acme', 'cs_2');
    database.pass(25 * HOUR_MS);
    await claimOpenOrders(db);
    expect((await readOrder(db, nameless))?.state).toBe('open');
    database.pass(1);
    await claimOpenOrders(db);
    expect((await readOrder(db, nameless))?.state).toBe('expired');
    expect((await readOrder(db, named))?.state).toBe('open');
  });
});
