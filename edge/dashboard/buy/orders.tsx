import type { OrderEntry } from '../contract/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { Loaded } from '../parts/loaded.tsx';
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
            <div class="table-box" role="group" aria-labelledby="orders-title" tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">Ordered</th>
                    <th scope="col">By</th>
                    <th scope="col" class="number">
                      Credits
                    </th>
                    <th scope="col" class="number">
                      Price
                    </th>
                    <th scope="col">State</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((order) => (
                    <tr key={order.id}>
                      <td>{atMoment(order.createdAt)}</td>
                      <td class="wrap">{order.orderedBy ?? 'Somebody who has left'}</td>
                      <td class="number">{count(order.credits)}</td>
                      <td class="number">{money(order.amount, order.currency)}</td>
                      <td>{STATES[order.state]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </section>
  );
}
