import type { OrderEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { Loaded } from '../parts/loaded.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, money } from '../words/numbers.ts';

const STATES: Readonly<Record<OrderEntry['state'], string>> = {
  open: 'Not paid yet',
  paid: 'Paid',
  expired: 'Not paid in time',
};

/** What was ordered before. */
export function Orders() {
  const orders = useResource(() => call<{ orders: OrderEntry[] }>('GET', 'orders'));
  return (
    <section aria-labelledby="orders-title">
      <h2 id="orders-title">Orders</h2>
      <Loaded load={orders.load.value} reload={() => void orders.reload()}>
        {({ orders: all }) =>
          all.length === 0 ? (
            <p class="soft">No orders yet.</p>
          ) : (
            <Table
              named={{ by: 'orders-title' }}
              columns={['Order', numbers('Credits'), numbers('Price')]}
              kind="orders"
            >
              {all.map((order) => (
                <tr key={order.id}>
                  <td class="when">
                    {atMoment(order.createdAt)}
                    <span class="soft">
                      {STATES[order.state]}, ordered by {order.orderedBy ?? 'a former member'}
                    </span>
                  </td>
                  <td class="number">{count(order.credits)}</td>
                  <td class="number">{money(order.amount, order.currency)}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}
