import { useEffect, useState } from 'preact/hooks';
import type { OneOrder } from '../../../schema/pages-api.ts';
import { call, type Trouble, troubleOf } from '../session/api.ts';
import { refreshBalance } from '../session/balance.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { credits } from '../words/numbers.ts';

const ASK_EVERY_MS = 2_000;
const ASK_FOR_MS = 60_000;

/** The state of an order when the reader returns from the checkout. */
export function Paid({ order }: { readonly order: string }) {
  const isCancelled = new URLSearchParams(location.search).has('cancelled');
  const [known, setKnown] = useState<OneOrder | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  useEffect(() => {
    if (isCancelled) return;
    const until = Date.now() + ASK_FOR_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const entry = await call<OneOrder>('GET', `orders/${encodeURIComponent(order)}`);
        setKnown(entry);
        if (entry.state === 'paid') void refreshBalance();
        else if (entry.state === 'open' && Date.now() < until) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
      } catch (error) {
        setTrouble(troubleOf(error));
      }
    };
    void ask();
    return () => clearTimeout(timer);
  }, [order]);
  if (isCancelled)
    return (
      <Notice tone="plain" title="Nothing was bought">
        <p>You came back before paying. Nothing was charged.</p>
      </Notice>
    );
  if (trouble !== null) return <TroubleNotice trouble={trouble} />;
  if (known?.state === 'paid')
    return (
      <Notice tone="good" title={`${credits(known.credits)} are on your account`}>
        <p>
          Thank you.{' '}
          {known.receiptUrl === null ? (
            'The receipt arrives by email.'
          ) : (
            <a href={known.receiptUrl} target="_blank" rel="noreferrer">
              Open the receipt
            </a>
          )}{' '}
          {location.pathname !== '/balance' && 'Go on below where the credits ran out.'}
        </p>
      </Notice>
    );
  if (known?.state === 'expired')
    return (
      <Notice tone="doubt" title="This order was not paid">
        <p>It has expired, and nothing was charged.</p>
      </Notice>
    );
  return (
    <Notice tone="plain" title="Waiting for the payment">
      <p>Your bank may take a moment. You can leave this page: the credits will arrive on their own.</p>
    </Notice>
  );
}
