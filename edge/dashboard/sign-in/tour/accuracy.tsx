/** Put here by the build, from `prober/ACCURACY.md`. */
declare const ACCURACY: Readonly<
  Record<'date' | 'expected' | 'replies' | 'right' | 'wronglyDead' | 'wronglyLiving', string>
>;

/** How often a server's reply is understood, and how that was found out. */
export function Accuracy() {
  const { date, expected, replies, right, wronglyDead, wronglyLiving } = ACCURACY;
  return (
    <section aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">How accurate it is</h2>
      <p class="figure">
        <strong>{expected}</strong> of replies in words that we have never seen are understood.
      </p>
      <p>
        Measured on {date}: of {replies} phrases from bounce tables, pages and logs, labelled before our rules first
        read them, {right} were understood; {wronglyDead} were wrongly taken for a missing mailbox, {wronglyLiving} for
        one that exists. <a href="/docs/accuracy">How we measure, and what we get wrong</a>
      </p>
    </section>
  );
}
