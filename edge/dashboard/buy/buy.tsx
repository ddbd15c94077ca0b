import type { NewOrder, Pack } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { count } from '../words/numbers.ts';
import { leaveFor } from './leave-for.ts';
import { Orders } from './orders.tsx';
import { PackPrice } from './pack-price.tsx';
import { reasonOf } from '../route/buy-path.ts';

/** Packs of credits, and the way to the checkout. */
export function Buy() {
  const { features, account } = signedIn();
  const { buying } = features;
  return (
    <>
      <h1>Buy credits</h1>
      {buying === null ? (
        <Notice tone="plain" title="Nothing can be bought here">
          <p>The operator of this service adds credits by hand. Please contact them.</p>
        </Notice>
      ) : (
        <>
          <p>
            One credit verifies one address. Credits are valid for 12 months, and every purchase keeps all of them valid
            for 12 months from its date. No subscription.
          </p>
          {account.role !== 'owner' && (
            <Notice tone="plain" title="Only an owner of this account can buy">
              <p>Ask one of the owners of {account.name}.</p>
            </Notice>
          )}
          <Packs packs={buying.packs} mayBuy={account.role === 'owner'} />
          <p class="soft">
            Prices exclude tax, which is added for your country on the next page. You pay at Stripe: we never see your
            card number. The invoice, with your company and tax id if you enter them, arrives by email and stays below.
          </p>
        </>
      )}
      <Orders />
    </>
  );
}

function Packs({ packs, mayBuy }: { readonly packs: readonly Pack[]; readonly mayBuy: boolean }) {
  const { back } = reasonOf(location.search);
  const buy = useAction(async (pack: string) => {
    const { url } = await call<NewOrder>('POST', 'orders', { pack, ...(back === null ? {} : { back }) });
    await leaveFor(url);
  });
  return (
    <>
      <ul class="packs">
        {packs.map((pack) => (
          <li key={pack.id} class="card">
            <PackPrice pack={pack} />
            <button
              type="button"
              disabled={!mayBuy}
              aria-disabled={buy.isBusy.value}
              aria-label={`Buy ${count(pack.credits)} credits`}
              onClick={() => void buy.run(pack.id)}
            >
              Buy
            </button>
          </li>
        ))}
      </ul>
      {buy.trouble.value !== null && <TroubleNotice trouble={buy.trouble.value} />}
    </>
  );
}
