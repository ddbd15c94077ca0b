import type { OrderEntry, Pack } from '../../schema/pages-api.ts';
import type { DisputeState, OrderState } from '../../schema/words/stored.ts';
import type { AsStored } from '../base/time-text.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { newId } from '../people/token.ts';

// Orders, as stored in D1. One is written before Stripe is called, and its id identifies the purchase everywhere:
// Stripe's reference, the key that makes calling Stripe twice harmless, and the purchase's id in the ledger.

export type Order = AsStored<OrderEntry, 'createdAt'> & {
  readonly accountId: string;
  readonly paidAt: number | null;
  readonly checkoutId: string | null;
  /** 1: its account has no people any more. */
  readonly isClosed: 0 | 1;
  /** Minor units, with tax. */
  readonly refunded: number;
  readonly dispute: DisputeState | null;
  readonly paymentId: string | null;
};
/** The state of an order, or of its payment. */
export type OrderFilter = OrderState | 'refunded' | 'disputed';

const DAY_MS = 86_400_000;
/** The most unpaid orders that an account can have, those counted that it removed within a day: each is a page at Stripe. */
const UNPAID_MAX = 20;
const SHOWN = 100;
/** Stripe keeps a checkout for a day; one whose name we never learnt has ended by then. */
const NAMELESS_MS = 25 * 3_600_000;
const ASKED_PER_TURN = 5;
const ASK_EVERY_MS = 10 * 60_000;
/** Bank transfers take days, but never longer than this. */
export const ORDER_LASTS_MS = 30 * DAY_MS;

const FIELDS = `
  o.id, o.account_id AS accountId, o.credits, o.amount, o.currency, o.state, o.created_at AS createdAt,
  o.paid_at AS paidAt, o.checkout_id AS checkoutId, o.refunded, o.dispute, o.payment_id AS paymentId, p.email AS orderedBy,
  NOT EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = o.account_id) AS isClosed`;
const FROM = 'FROM orders o LEFT JOIN people p ON p.id = o.person_id';

const PLACE = `
  INSERT INTO orders (id, account_id, person_id, credits, amount, currency, state, created_at, asked_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'open', ${NOW_MS}, ${NOW_MS}
   WHERE (SELECT count(*) FROM orders
           WHERE account_id = ?2 AND (state = 'open' OR (state = 'expired' AND created_at > ${NOW_MS} - ${DAY_MS}))) < ${UNPAID_MAX}`;
const READ = `SELECT ${FIELDS} ${FROM} WHERE o.id = ?1`;
const LIST = `
  SELECT ${FIELDS} ${FROM} WHERE o.account_id = ?1 AND o.state <> 'expired'
   ORDER BY o.created_at DESC, o.id LIMIT ${SHOWN}`;
const LAST_PAID = `
  SELECT checkout_id AS checkoutId FROM orders
   WHERE account_id = ?1 AND state = 'paid' AND checkout_id IS NOT NULL ORDER BY created_at DESC LIMIT 1`;
const BY_PAYMENT = `SELECT ${FIELDS} ${FROM} WHERE o.payment_id = ?1`;
const FILTERS: Readonly<Record<OrderFilter, string>> = {
  open: `o.state = 'open'`,
  paid: `o.state = 'paid'`,
  expired: `o.state = 'expired'`,
  refunded: 'o.refunded > 0',
  disputed: 'o.dispute IS NOT NULL',
};
const find = (account: string | null, state: OrderFilter | null): string => `
  SELECT ${FIELDS} ${FROM}
   WHERE ${account === null ? '?1 IS NULL' : 'o.account_id = ?1'} AND ${state === null ? 'true' : FILTERS[state]}
     AND (?2 IS NULL OR (o.created_at, o.id) < (SELECT b.created_at, b.id FROM orders b WHERE b.id = ?2))
   ORDER BY o.created_at DESC, o.id DESC LIMIT ?3`;
/** The refunded amount only grows, so the order of events does not matter. */
const NOTE_REFUND = 'UPDATE orders SET refunded = max(refunded, ?2) WHERE payment_id = ?1';
/** A dispute that has ended is not reopened by a late first event. */
const NOTE_DISPUTE = `
  UPDATE orders SET dispute = ?2 WHERE payment_id = ?1 AND (?2 <> 'open' OR dispute IS NULL)`;
const NAME = 'UPDATE orders SET checkout_id = ?2 WHERE id = ?1';
const EXPIRE = `UPDATE orders SET state = 'expired' WHERE id = ?1 AND state = 'open'`;
const EXPIRE_NAMELESS = `
  UPDATE orders SET state = 'expired'
   WHERE state = 'open' AND checkout_id IS NULL AND created_at < ${NOW_MS} - ${NAMELESS_MS}`;

/** The older an order, the less often it is looked up. */
const CLAIM_OPEN = `
  UPDATE orders SET asked_at = ${NOW_MS}
   WHERE id IN (
     SELECT id FROM orders
      WHERE state = 'open' AND checkout_id IS NOT NULL AND created_at > ${NOW_MS} - ${ORDER_LASTS_MS}
        AND asked_at < ${NOW_MS} - max(${ASK_EVERY_MS}, (${NOW_MS} - created_at) / 10)
      ORDER BY asked_at LIMIT ${ASKED_PER_TURN})
  RETURNING id`;
const CLAIM_ONE = `
  UPDATE orders SET asked_at = ${NOW_MS} WHERE id = ?1 AND state = 'open' AND asked_at <= ${NOW_MS} - ?2 RETURNING id`;

/** An order is paid if the ledger has booked its own credits for it, and in no other way. */
const PAID = `
  UPDATE orders SET state = 'paid', paid_at = ${NOW_MS}, payment_id = ?2
   WHERE id = ?1 AND state <> 'paid' AND (orders.credits = ?3 OR EXISTS (
     SELECT 1 FROM ledger l
      WHERE l.account_id = orders.account_id AND l.ref_id = orders.id AND l.kind = 'purchase'
        AND l.delta = orders.credits))`;

/** Writes an order. @returns null if too many are unpaid */
export async function placeOrder(
  db: D1Database,
  { accountId, personId, pack }: { readonly accountId: string; readonly personId: string; readonly pack: Pack },
): Promise<Order | null> {
  const id = newId('ord');
  const { credits, amount, currency } = pack;
  const results = await db.batch<Order>([
    db.prepare(PLACE).bind(id, accountId, personId, credits, amount, currency),
    db.prepare(READ).bind(id),
  ]);
  return results[1]?.results[0] ?? null;
}

export async function readOrder(db: D1Database, id: string): Promise<Order | null> {
  return db.prepare(READ).bind(id).first<Order>();
}

/** Stripe's name for the latest paid checkout of an account; null before there is one. */
export async function lastPaidCheckout(db: D1Database, accountId: string): Promise<string | null> {
  return db.prepare(LAST_PAID).bind(accountId).first<string>('checkoutId');
}

/** The orders of an account that are paid or may still be, newest first. */
export async function listOrders(db: D1Database, accountId: string): Promise<readonly Order[]> {
  return (await db.prepare(LIST).bind(accountId).all<Order>()).results;
}

type Found = Readonly<Record<'account' | 'before', string | null>> & { state: OrderFilter | null; rows: number };

/** Orders of one account or of all, of one kind or of all, newest first, at most `rows`, after the order `before`. */
export async function findOrders(db: D1Database, { account, state, before, rows }: Found): Promise<readonly Order[]> {
  return (await db.prepare(find(account, state)).bind(account, before, rows).all<Order>()).results;
}

/** The order that a Stripe payment paid for. */
export async function orderOfPayment(db: D1Database, paymentId: string): Promise<Order | null> {
  return db.prepare(BY_PAYMENT).bind(paymentId).first<Order>();
}

/** Records how much of a payment was refunded, in minor units. */
export async function noteRefund(db: D1Database, paymentId: string, amount: number): Promise<void> {
  await db.prepare(NOTE_REFUND).bind(paymentId, amount).run();
}

/** Records the state of a dispute about a payment. */
export async function noteDispute(db: D1Database, paymentId: string, state: DisputeState): Promise<void> {
  await db.prepare(NOTE_DISPUTE).bind(paymentId, state).run();
}

/** Records Stripe's id of the order's checkout. */
export async function nameCheckout(db: D1Database, id: string, checkoutId: string): Promise<void> {
  await db.prepare(NAME).bind(id, checkoutId).run();
}

/** Records that an order will not be paid. One that was paid stays so. */
export async function expireOrder(db: D1Database, id: string): Promise<void> {
  await db.prepare(EXPIRE).bind(id).run();
}

/** Some orders to ask Stripe about again, each claimed by one caller; those unknown to Stripe expire. */
export async function claimOpenOrders(db: D1Database): Promise<readonly string[]> {
  const results = await db.batch<{ id: string }>([EXPIRE_NAMELESS, CLAIM_OPEN].map((text) => db.prepare(text)));
  return results[1]?.results.map(({ id }) => id) ?? [];
}

/** Whether Stripe may be asked about this open order now: not if it was within `restMs`. */
export async function claimOrder(db: D1Database, id: string, restMs: number): Promise<boolean> {
  return (await db.prepare(CLAIM_ONE).bind(id, restMs).first()) !== null;
}

/**
 * The statement that marks a booked order as paid. It belongs in the batch that books it, after the ledger's row.
 * @param bookedElsewhere credits that another database has just reported as booked for it; 0: this one knows
 */
export function markPaid(
  db: D1Database,
  id: string,
  paymentId: string | null,
  bookedElsewhere = 0,
): D1PreparedStatement {
  return db.prepare(PAID).bind(id, paymentId, bookedElsewhere);
}
