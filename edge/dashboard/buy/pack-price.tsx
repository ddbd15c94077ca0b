import type { Pack } from '../../../schema/pages-api.ts';
import { count, money, perThousand } from '../words/numbers.ts';

/** What a pack holds and costs. */
export function PackPrice({ pack }: { readonly pack: Pack }) {
  const { credits, amount, currency } = pack;
  return (
    <>
      <p class="figure">
        <strong>{count(credits)}</strong> credits
      </p>
      <p class="price-of">{money(amount, currency)}</p>
      <p class="soft">{perThousand(pack)} per 1,000 addresses</p>
    </>
  );
}
