import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEdge, type Edge } from '../testing/edge.ts';
import { newForm } from '../testing/form.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const OPEN = { perMinute: 1_000, perHour: 10_000 };

/** Runs them all, a hundred at a time. */
async function eachOf<T>(count: number, work: (n: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let from = 0; from < count; from += 100)
    results.push(...(await Promise.all(Array.from({ length: Math.min(100, count - from) }, (_, k) => work(from + k)))));
  return results;
}

it('hundreds of calls from forty networks cost a form’s account at most its day', { timeout: 300_000 }, async () => {
  const creditsPerDay = 80;
  const { ask, charged } = await newForm(edge, { ...OPEN, creditsPerDay }, { credits: 1_000 });
  const answers = await eachOf(300, async (n) => {
    const answer = await ask(`a${n}@good.test`, { headers: { 'cf-connecting-ip': `198.51.100.${n % 40}` } });
    const [, verdict = ''] = /"verdict":"(\w+)"/.exec(await answer.text()) ?? [];
    return `${answer.status} ${verdict}`;
  });
  const count = (kind: string): number => answers.filter((answer) => answer === kind).length;
  // A check that a busy machine does not finish in time is free, and its credit goes to another.
  const [accepted, free, refused] = [count('200 accept'), count('200 unsure'), count('429 ')];
  expect(accepted + free + refused).toBe(answers.length);
  expect([await charged(), accepted <= creditsPerDay, accepted + free >= creditsPerDay]).toEqual([
    accepted,
    true,
    true,
  ]);
});

it(
  'a hundred pages closed in mid-call keep the ledger exact, and uncharged credits go back to the day',
  { timeout: 300_000 },
  async () => {
    const creditsPerDay = 130;
    const { ask, key, accountId, charged } = await newForm(edge, { ...OPEN, creditsPerDay }, { credits: 1_000 });
    const DOMAINS = ['good.test', 'dead.test', 'silent.test', 'policy.test'];
    await eachOf(100, async (n) => {
      const page = new AbortController();
      const body = { key, email: `a${n}@${DOMAINS[n % 4]}`, id: `page-${n}`, wait: 1 };
      const answer = ask('', { body, signal: page.signal }).catch(() => null);
      // From before the key is read until after the answer is written.
      setTimeout(() => page.abort(), (n % 50) * 4);
      await answer;
    });
    const spent = await charged();
    const { balance } = await edge.settled(accountId);
    expect([balance + spent, spent <= 75]).toEqual([1_000, true]);
    // Credits return to the day once a settlement is known, a moment after it is stored; so do those of checks that a busy
    // machine does not finish in time. What is charged in the end is the day, and no more.
    let asked = 0;
    await expect
      .poll(
        async () => {
          while ((await ask(`b${(asked += 1)}@good.test`)).status === 200) continue;
          return charged();
        },
        { timeout: 120_000 },
      )
      .toBe(creditsPerDay);
  },
);
