import { count } from '../../words/numbers.ts';

/** Put here by the build, from `prober/ACCURACY.md`. */
declare const ACCURACY: {
  readonly date: string;
  readonly expected: string;
  readonly phrases: number;
  readonly wronglyDead: number;
};

/** How often a server's reply is understood, and how that was found out. */
export function Accuracy() {
  const { date, expected, phrases, wronglyDead } = ACCURACY;
  return (
    <section aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">How accurate it is</h2>
      <p class="figure">
        <strong>{expected}</strong> of replies in words that we have never seen are understood.
      </p>
      <p>
        Measured on {date} with {count(phrases)} phrases that were labelled before our rules first read them;{' '}
        {count(wronglyDead)} were wrongly taken for a missing mailbox.{' '}
        <a href="/docs/accuracy">How we measure, and what we get wrong</a>
      </p>
    </section>
  );
}
