import { buyPath } from '../route/buy-path.ts';
import { balance } from '../session/balance.ts';
import { credits } from '../words/numbers.ts';
import { Notice } from './notice.tsx';

/** Said before a run begins that may cost more than the account has. */
export function Shortfall({ price }: { readonly price: number }) {
  const has = balance.value?.credits ?? price;
  if (has >= price) return null;
  return (
    <Notice tone="doubt" title={`The account has ${credits(has)}`}>
      <p>
        You can start anyway: it pauses when they run out, and resumes where it stopped.{' '}
        <a href={buyPath(price - has)}>Buy credits</a>
      </p>
    </Notice>
  );
}
