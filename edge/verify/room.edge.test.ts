import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

/** The fleet's refusal is remembered for a second. */
function forgotten(): Promise<void> {
  return new Promise((wake) => setTimeout(wake, 1_100));
}

const refusal = async (answer: Response): Promise<readonly unknown[]> => [
  answer.status,
  answer.headers.get('retry-after'),
  await answer.json(),
];
const busy = (words: string) => ({ error: expect.stringContaining(words), code: 'RATE_LIMITED' });

/**
 * Two calls in succession, repeated until the second came while the first refusal was still remembered: the answer to
 * the second, and the trips of both. Two refusals of one caller within a second are tested in `room.test.ts`.
 */
function twoCalls(first: () => Promise<Response>, second: () => Promise<Response>) {
  const twice = async () => {
    await edge.quiet();
    await (await first()).text();
    const answer = await second();
    await answer.text();
    return [answer.status, answer.headers.get('retry-after'), await edge.calls()];
  };
  return expect.poll(twice, { timeout: 20_000, interval: 500 });
}

it('a batch that the fleet has no room for gets 429 with Retry-After, and its hold is returned', async () => {
  const { key, accountId } = await edge.customer(10);
  const answer = await edge.verify(key, ['a@full.test', 'b@good.test']);
  expect(await refusal(answer)).toEqual([429, '1', busy('The service is busy. Nothing was charged')]);
  expect(answer.headers.get('ratelimit-limit')).toBe('60');
  expect(await edge.money(accountId)).toEqual({
    balance: 10,
    rows: expect.arrayContaining([
      ['hold', -2],
      ['return', 2],
    ]),
  });
  await forgotten();
});

it('the next one is refused before any hold; a smaller one, or one a second later, is not', async () => {
  const { key } = await edge.customer(1_000);
  const verify = (emails: readonly string[]) => () => edge.verify(key, emails);
  const full = verify(['a@full.test', 'b@good.test']);
  // The first: limiter, hold, fleet, and the return of the hold. The second: the limiter alone.
  await twoCalls(full, verify(['a@good.test', 'b@good.test', 'c@good.test'])).toEqual([
    429,
    '1',
    { d1: 2, objects: 3 },
  ]);
  expect((await edge.verify(key, ['a@good.test'])).status).toBe(200);
  await forgotten();
  expect((await edge.verify(key, ['a@good.test', 'b@good.test'])).status).toBe(200);
});
