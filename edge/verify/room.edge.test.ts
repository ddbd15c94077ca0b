import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

/** The fleet's word holds for a second. */
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
 * Two calls, one after the other, until the second came while the word of the first still held: what it got, and the trips of both.
 * Who is refused twice in a second is in `room.test.ts`.
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

it('a batch for which the fleet has no room is 429 with Retry-After, and what was held is back', async () => {
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

it('the next is refused before anything is held, a smaller one and one a second later are not', async () => {
  const { key } = await edge.customer(1_000);
  const verify = (emails: readonly string[]) => () => edge.verify(key, emails);
  const full = verify(['a@full.test', 'b@good.test']);
  // The first: limiter, hold, fleet, and what was held is back. The second: the limiter alone.
  await twoCalls(full, verify(['a@good.test', 'b@good.test', 'c@good.test'])).toEqual([
    429,
    '1',
    { d1: 2, objects: 3 },
  ]);
  expect((await edge.verify(key, ['a@good.test'])).status).toBe(200);
  await forgotten();
  expect((await edge.verify(key, ['a@good.test', 'b@good.test'])).status).toBe(200);
});
