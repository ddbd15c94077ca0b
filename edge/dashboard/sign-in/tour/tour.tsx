import { features } from '../../session/me.ts';
import { PackPrice } from '../../buy/pack-price.tsx';
import { count } from '../../words/numbers.ts';
import { Accuracy } from './accuracy.tsx';
import { Outcome } from './outcome.tsx';
import { Sample } from './sample.tsx';

type Point = { readonly title: string; readonly words: string };

const STEPS: readonly Point[] = [
  { title: 'We find its mail server', words: 'The domain itself says which server takes its mail.' },
  {
    title: 'We ask about the mailbox',
    words:
      'The server is asked whether it would accept a message for this person. In the language of mail that question is RCPT TO, hence our name.',
  },
  {
    title: 'We hang up',
    words:
      'No message is ever sent, so nobody is disturbed. You get the answer, what it means and what to do about it.',
  },
];

const CLAIMS: readonly Point[] = [
  {
    title: 'Checked now, every time',
    words: 'No answer from last week: each address is checked when you ask.',
  },
  {
    title: 'A reason for every verdict',
    words: 'More than a score: the server’s reply code, and what it means. What cannot be known is called unknown.',
  },
  {
    title: 'The price before you start',
    words: 'One credit per unique address, never more. Credits come back for servers that would not talk to us.',
  },
  {
    title: 'Nothing stored',
    words: 'Your file stays in your browser, with all its columns. We store no address that you verify.',
  },
];

/** For people who read on: a verdict to try, how it comes about, and the prices. */
export function Tour() {
  return (
    <>
      <Outcome />
      <Sample />
      <section aria-labelledby="steps-title">
        <h2 id="steps-title">What happens to an address</h2>
        <ol class="steps">{STEPS.map(pointOf)}</ol>
      </section>
      <section aria-labelledby="claims-title">
        <h2 id="claims-title">What you can count on</h2>
        <ul class="claims">{CLAIMS.map(pointOf)}</ul>
      </section>
      <Accuracy />
      <Prices />
      <p>
        Would you rather call it from code? <a href="/docs">Read the docs</a>
      </p>
    </>
  );
}

function pointOf({ title, words }: Point) {
  return (
    <li key={title}>
      <h3>{title}</h3>
      <p class="soft">{words}</p>
    </li>
  );
}

function Prices() {
  const known = features();
  if (known === null) return null;
  const { welcomeCredits, buying } = known;
  return (
    <section aria-labelledby="prices-title">
      <h2 id="prices-title">What it costs</h2>
      <p>
        One credit verifies one address; duplicates and what is not an address are free.{' '}
        {welcomeCredits > 0 && `Your first ${count(welcomeCredits)} credits are a gift. `}
        {buying === null
          ? 'More credits come from the operator of this service.'
          : 'No subscription: credits are valid for 12 months, and each purchase extends all of them. Prices exclude tax.'}
      </p>
      {buying !== null && (
        <ul class="packs">
          {buying.packs.map((pack) => (
            <li key={pack.id} class="card">
              <PackPrice pack={pack} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
