import { useEffect, useState } from 'preact/hooks';
import type { VerificationResult } from '../../../../schema/words/result.ts';
import { SANDBOX } from '../../../../schema/words/sandbox.ts';
import { useAction } from '../../parts/action.ts';
import { TroubleNotice } from '../../parts/loaded.tsx';
import { call } from '../../session/api.ts';
import { ResultCard } from '../../parts/result-card.tsx';

/** As many as show what verdicts there are. The docs have all of the sandbox. */
const SHOWN = [
  'ok@deliverable.test',
  'nobody@deliverable.test',
  'anyone@catchall.test',
  'ok@gmail.con',
  'greylisted@deliverable.test',
  'anyone@blocked.test',
];
const PICKS = SANDBOX.filter(({ address }) => SHOWN.includes(address));
const FIRST = 'nobody@deliverable.test';

/** A verdict to try without an account: addresses of the sandbox alone, so that nobody real is asked for a stranger. */
export function Sample() {
  const [email, setEmail] = useState(FIRST);
  const [result, setResult] = useState<VerificationResult | null>(null);
  const ask = useAction(async (wanted: string) => {
    setResult(await call<VerificationResult>('POST', 'sample', { email: wanted }));
  });
  const choose = (wanted: string): void => {
    // One question at a time: the answer shown is always that of the address above it.
    if (ask.isBusy.value) return;
    setEmail(wanted);
    setResult(null);
    void ask.run(wanted);
  };
  useEffect(() => choose(FIRST), []);
  return (
    <section aria-labelledby="sample-title">
      <h2 id="sample-title">Try it</h2>
      <p class="soft">
        These addresses belong to our sandbox. Its mail servers behave like those that you will meet, and answer the
        same every time.
      </p>
      <div class="try">
        <ul aria-label="Addresses to try">
          {PICKS.map(({ address, shows }) => (
            <li key={address}>
              <button type="button" class="pick" aria-pressed={address === email} onClick={() => choose(address)}>
                <span class="address">{address}</span>
                <span class="soft">{shows}</span>
              </button>
            </li>
          ))}
        </ul>
        <div aria-live="polite">
          {ask.trouble.value === null ? (
            <ResultCard email={email} result={result} isRunning verify={null} />
          ) : (
            <TroubleNotice trouble={ask.trouble.value} retry={() => choose(email)} />
          )}
        </div>
      </div>
    </section>
  );
}
