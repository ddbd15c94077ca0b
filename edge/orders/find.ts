import type { DisputeState, OrderState } from '../../schema/words/stored.ts';
import type { Order } from './orders.ts';

// Orders as an operator looks for them: nothing here writes.

/** How an order stands, or what became of its payment. */
export type OrderFilter = OrderState | 'refunded' | 'disputed';

export type FoundOrder = Omit<Order, 'orderedBy' | 'isClosed'> & {
  /** Minor units, with tax. */
  readonly refunded: number;
  readonly dispute: DisputeState | null;
  readonly paymentId: string | null;
};
/** A place in the list: its orders are in the order of these two. */
export type OrderPlace = Pick<FoundOrder, 'createdAt' | 'id'>;

const FILTERS: Readonly<Record<OrderFilter, string>> = {
  open: `state = 'open'`,
  paid: `state = 'paid'`,
  expired: `state = 'expired'`,
  refunded: 'refunded > 0',
  disputed: 'dispute IS NOT NULL',
};

const find = (account: string | null, state: OrderFilter | null): string => `
  SELECT id, account_id AS accountId, credits, amount, currency, state, created_at AS createdAt, paid_at AS paidAt,
         refunded, dispute, checkout_id AS checkoutId, payment_id AS paymentId
    FROM orders
   WHERE ${account === null ? '?1 IS NULL' : 'account_id = ?1'} AND ${state === null ? 'true' : FILTERS[state]}
     AND (?2 IS NULL OR (created_at, id) < (?2, ?3))
   ORDER BY created_at DESC, id DESC LIMIT ?4`;

/** Orders of one account or of all, of one kind or of all, newest first, as many as `rows`, older than `before`. */
export async function findOrders(
  db: D1Database,
  wanted: {
    readonly account: string | null;
    readonly state: OrderFilter | null;
    readonly before: OrderPlace | null;
    readonly rows: number;
  },
): Promise<readonly FoundOrder[]> {
  const { account, state, before, rows } = wanted;
  const found = db.prepare(find(account, state)).bind(account, before?.createdAt ?? null, before?.id ?? null, rows);
  return (await found.all<FoundOrder>()).results;
}

/** `AT.ID` */
export function orderPlaceText({ createdAt, id }: OrderPlace): string {
  return `${createdAt}.${id}`;
}

/** What `orderPlaceText` wrote; null for another text. */
export function readOrderPlace(text: string): OrderPlace | null {
  const [, at, id] = /^(\d{1,15})\.(ord_\w{1,32})$/.exec(text) ?? [];
  return at === undefined || id === undefined ? null : { createdAt: Number(at), id };
}
