import type { NewOrder, Pack, Usage } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { count, credits, share } from '../words/numbers.ts';
import { leaveFor } from './leave-for.ts';
import { Orders } from './orders.tsx';
import { PackPrice } from './pack-price.tsx';
import { recommended, saving } from './recommend.ts';
import { reasonOf } from '../route/buy-path.ts';
import { Button } from '../parts/button.tsx';

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

/** How far back the use is looked at that a pack is recommended by. */
const DAYS = 90;

function usedIn(rows: Usage['rows']): number {
  return rows.reduce((sum, { charged }) => sum + charged, 0);
}

function Saving({ packs, pack }: { readonly packs: readonly Pack[]; readonly pack: Pack }) {
  const saved = saving(packs, pack);
  if (saved === null) return null;
  return (
    <p class="soft">
      {share(saved.part, 1)} less per 1,000 than {credits(saved.than.credits)}
    </p>
  );
}

function Packs({ packs, mayBuy }: { readonly packs: readonly Pack[]; readonly mayBuy: boolean }) {
  const { back, needed } = reasonOf(location.search);
  const use = useResource(async () => (needed > 0 ? 0 : usedIn((await call<Usage>('GET', `usage?days=${DAYS}`)).rows)));
  const used = use.load.value.state === 'ready' ? use.load.value.value : 0;
  const best = recommended(packs, needed + used);
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
            <Saving packs={packs} pack={pack} />
            {pack === best && (
              <p>
                <strong>Recommended</strong>:{' '}
                {needed > 0 ? `your list needs ${credits(needed)} more` : `you used ${credits(used)} in ${DAYS} days`}
              </p>
            )}
            <Button
              words="Buy"
              label={`Buy ${count(pack.credits)} credits`}
              isOff={!mayBuy}
              busy={buy}
              onPress={() => buy.run(pack.id)}
            />
          </li>
        ))}
      </ul>
      {buy.trouble.value !== null && <TroubleNotice trouble={buy.trouble.value} />}
    </>
  );
}
