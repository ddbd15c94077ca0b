import type { Billing, OneOrder, OrderEntry } from '../../../schema/pages-api.ts';
import { call, Trouble } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { type Action, useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, money } from '../words/numbers.ts';
import { leaveFor } from './leave-for.ts';
import { Button } from '../parts/button.tsx';

const STATES: Readonly<Record<OrderEntry['state'], string>> = {
  open: 'Not paid yet',
  paid: 'Paid',
  expired: 'Not paid in time',
};

type Paper = 'payUrl' | 'invoiceUrl' | 'receiptUrl';

/** What was ordered before: its papers, or what can be done about it; and the company's details at Stripe. */
export function Orders() {
  const { account } = signedIn();
  const isOwner = account.role === 'owner';
  const orders = useResource(() => call<{ orders: OrderEntry[] }>('GET', 'orders'));
  const open = useAction(async (id: string, paper: Paper) => {
    const url = (await call<OneOrder>('GET', `orders/${id}`))[paper];
    if (url === null) throw new Trouble('Stripe does not have it yet. Try again in a few minutes.', 0);
    await leaveFor(url);
  });
  const remove = useAction(async (id: string) => {
    await call('DELETE', `orders/${id}`);
    await orders.reload();
  });
  const bill = useAction(async () => leaveFor((await call<Billing>('POST', 'billing')).url));
  return (
    <section aria-labelledby="orders-title">
      <h2 id="orders-title">Orders</h2>
      <Loaded load={orders.load.value} reload={() => void orders.reload()}>
        {({ orders: all }) => (
          <>
            {all.length === 0 ? (
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
                      <div class="row">
                        <Steps order={order} isOwner={isOwner} open={open} remove={remove} />
                      </div>
                    </td>
                    <td class="number">{count(order.credits)}</td>
                    <td class="number">{money(order.amount, order.currency)}</td>
                  </tr>
                ))}
              </Table>
            )}
            {isOwner && all.some(({ state }) => state === 'paid') && (
              <Button kind="quiet" words="Company, tax number and billing address" run={bill} />
            )}
          </>
        )}
      </Loaded>
      {[open, remove, bill].map(
        ({ trouble }, index) => trouble.value !== null && <TroubleNotice key={index} trouble={trouble.value} />,
      )}
    </section>
  );
}

type StepsProps = {
  readonly order: OrderEntry;
  readonly isOwner: boolean;
  readonly open: Action<[id: string, paper: Paper]>;
  readonly remove: Action<[id: string]>;
};

function Steps({ order: { id, state, createdAt }, isOwner, open, remove }: StepsProps) {
  const step = (words: string, run: () => unknown) => (
    <Button kind="quiet" words={words} label={`${words}: order of ${atMoment(createdAt)}`} onPress={() => run()} />
  );
  if (state === 'paid')
    return (
      <>
        {step('Invoice', () => open.run(id, 'invoiceUrl'))}
        {step('Receipt', () => open.run(id, 'receiptUrl'))}
      </>
    );
  if (state !== 'open' || !isOwner) return null;
  return (
    <>
      {step('Pay', () => open.run(id, 'payUrl'))}
      {step('Remove', () => remove.run(id))}
    </>
  );
}
