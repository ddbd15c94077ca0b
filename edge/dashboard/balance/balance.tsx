import type { PageBalance } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { balance } from '../session/balance.ts';
import { useResource } from '../session/load.ts';
import { whyNoGift } from '../sign-in/no-gift.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { counted, count, onDay } from '../words/numbers.ts';
import { Statement } from './statement.tsx';
import { UsageCharts } from './usage-charts.tsx';

const SOON_MS = 30 * 86_400_000;

/** The account's balance, usage and statement. */
export function Balance() {
  const read = useResource(async () => {
    balance.value = await call<PageBalance>('GET', 'balance');
    return balance.value;
  });
  return (
    <>
      <h1>Balance</h1>
      <Loaded load={read.load.value} reload={() => void read.reload()}>
        {(known) => <Now known={balance.value ?? known} />}
      </Loaded>
      <UsageCharts />
      <Statement />
    </>
  );
}

function Now({ known: { credits: has, expiresAt, held, noGift } }: { readonly known: PageBalance }) {
  const endsSoon = expiresAt !== null && has > 0 && Date.parse(expiresAt) - Date.now() < SOON_MS;
  return (
    <>
      <section class="card" aria-label="Credits">
        <p class="figure">
          <strong>{count(has)}</strong> {has === 1 ? 'credit' : 'credits'}
        </p>
        <p class="soft">
          {expiresAt === null
            ? `Nothing has been bought yet. ${noGift === null ? '' : whyNoGift(noGift)}`
            : `${has > 0 ? `Valid until ${onDay(expiresAt)}. ` : ''}Every purchase keeps all credits valid for 12 months from its date.`}
        </p>
        {held.credits > 0 && (
          <p class="soft">
            {counted(held.credits, 'more credit is', 'more credits are')} held for{' '}
            {counted(held.batches, 'request', 'requests')} in progress. What they do not cost is returned.
          </p>
        )}
        <p>
          <a class="button" href="/buy">
            Buy credits
          </a>
        </p>
      </section>
      {endsSoon && (
        <Notice tone="doubt" title={`Your credits expire on ${onDay(expiresAt)}`}>
          <p>Any purchase before then keeps them valid for 12 months from its date.</p>
        </Notice>
      )}
    </>
  );
}
