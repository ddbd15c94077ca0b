import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

/** The fleet's word holds for a second. */
function forgotten(): Promise<void> {
  return new Promise((wake) => setTimeout(wake, 1_100));
}

it('a batch for which the fleet has no room is 500 with Retry-After, and what was held is back', async () => {
  const { key, accountId } = await edge.customer(10);
  const answer = await edge.verify(key, ['a@full.test', 'b@good.test']);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '1']);
  expect(await answer.json()).toEqual({
    error: expect.stringContaining('This request costs nothing'),
    code: 'INTERNAL_ERROR',
  });
  expect((await edge.money(accountId)).balance).toBe(10);
  await forgotten();
});

it('the next is refused before anything is held, a smaller one and one a second later are not', async () => {
  const { key, accountId } = await edge.customer(10);
  await edge.verify(key, ['a@full.test', 'b@good.test']);
  const before = await edge.money(accountId);
  await edge.quiet();
  const refused = await edge.verify(key, ['a@good.test', 'b@good.test', 'c@good.test']);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, '1']);
  // The limiter alone was asked.
  expect(await edge.calls()).toEqual({ d1: 0, objects: 1 });
  expect(await edge.money(accountId)).toEqual(before);
  expect((await edge.verify(key, ['a@good.test'])).status).toBe(200);
  await forgotten();
  expect((await edge.verify(key, ['a@good.test', 'b@good.test'])).status).toBe(200);
});

it('an account that has its share is refused alone', async () => {
  const [greedy, other] = [await edge.customer(10), await edge.customer(10)];
  const refused = await edge.verify(greedy.key, ['a@share.test']);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, '1']);
  expect((await edge.money(greedy.accountId)).balance).toBe(10);
  expect((await edge.verify(other.key, ['a@good.test', 'b@good.test'])).status).toBe(200);
});

it('an answer in lines is refused in the same way', async () => {
  const { key } = await edge.customer(10);
  const refused = await edge.verify(key, ['a@full.test'], { accept: 'application/x-ndjson' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([500, '1']);
});
