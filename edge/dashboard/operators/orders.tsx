import { useState } from 'preact/hooks';
import type { OrderOfAccount, OrdersPage } from '../../../schema/admin.ts';
import { ORDER_FILTERS } from '../../../schema/words/stored.ts';
import { Field } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { More } from '../parts/more.tsx';
import { useCursor } from '../parts/cursor.ts';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, money } from '../words/numbers.ts';
import { callAdmin } from './call.ts';
import type { OperatorKey } from './key.ts';
import { addressAtStripe, tagsOf } from './order-words.ts';

const ROWS_READ = '50';

type Filter = (typeof ORDER_FILTERS)[number];
const FILTER_WORDS: Readonly<Record<Filter, string>> = {
  open: 'Not paid yet',
  paid: 'Paid',
  expired: 'Not paid in time',
  refunded: 'Refunded, wholly or in part',
  disputed: 'Disputed',
};

/** The orders of all accounts, or of those in one state. */
export function FilteredOrders({ operatorKey }: { readonly operatorKey: OperatorKey }) {
  const [state, setState] = useState<Filter | null>(null);
  return (
    <section class="card" aria-labelledby="orders-title">
      <h2 id="orders-title">Orders</h2>
      <Field label="Show">
        {(id) => (
          <select
            class="short"
            id={id}
            value={state ?? ''}
            onChange={(event) => setState(ORDER_FILTERS.find((known) => known === event.currentTarget.value) ?? null)}
          >
            <option value="">All orders</option>
            {ORDER_FILTERS.map((known) => (
              <option key={known} value={known}>
                {FILTER_WORDS[known]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Orders key={state} operatorKey={operatorKey} account={null} state={state} />
    </section>
  );
}

type Props = {
  readonly operatorKey: OperatorKey;
  /** Null: of all. */
  readonly account: string | null;
  readonly state: Filter | null;
};

/** Orders, newest first, below a heading of the id `orders-title`. */
export function Orders({ operatorKey, account, state }: Props) {
  const { load, reload, more } = useCursor<OrdersPage>((before) => {
    const query = new URLSearchParams({ limit: ROWS_READ });
    if (account !== null) query.set('account', account);
    if (state !== null) query.set('state', state);
    if (before !== null) query.set('before', before);
    return callAdmin(operatorKey, `/orders?${query.toString()}`);
  });
  return (
    <>
      <Loaded load={load} reload={reload}>
        {(pieces) => {
          const orders = pieces.flatMap((piece) => piece.orders);
          if (orders.length > 0) return <Rows orders={orders} hasAccounts={account === null} />;
          return <p class="soft">{state === null ? 'No orders yet.' : 'No such orders.'}</p>;
        }}
      </Loaded>
      <More more={more} words="Show older orders" />
    </>
  );
}

function Rows({ orders, hasAccounts }: { readonly orders: readonly OrderOfAccount[]; readonly hasAccounts: boolean }) {
  return (
    <Table
      named={{ by: 'orders-title' }}
      columns={['State', ...(hasAccounts ? ['Account'] : []), numbers('Price'), numbers('Credits'), 'Ordered', 'Order']}
    >
      {orders.map((order) => (
        <tr key={order.id}>
          <td>
            <span class="chips">
              {tagsOf(order).map(({ tone, words }) => (
                <span key={words} class={`chip ${tone}`}>
                  {words}
                </span>
              ))}
            </span>
          </td>
          {hasAccounts && (
            <td>
              <a href={`/operators/accounts/${order.accountId}`}>{order.accountId}</a>
            </td>
          )}
          <td class="number">{money(order.amount, order.currency)}</td>
          <td class="number">{count(order.credits)}</td>
          <td class="date soft">{atMoment(order.createdAt)}</td>
          <td class="date">
            <code>{order.id}</code>
            <AtStripe order={order} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function AtStripe({ order }: { readonly order: OrderOfAccount }) {
  const address = addressAtStripe(order);
  if (address === null) return null;
  return (
    <>
      {' '}
      <a href={address} target="_blank" rel="noreferrer" aria-label={`Order ${order.id} at Stripe, in a new tab`}>
        Stripe
      </a>
    </>
  );
}
