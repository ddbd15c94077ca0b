import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Edge } from './testing/edge.ts';

// Answers in lines, and what is counted for both forms.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const lines = { accept: 'application/json;q=0.5, application/x-ndjson' };

async function readLines(answer: Response): Promise<readonly unknown[]> {
  const text = await answer.text();
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

describe('an answer in lines', () => {
  it.each([
    [
      'refused probes are refunded',
      {},
      ['a@good.test', 7, 'A@GOOD.test', 'b@policy.test', 'x'],
      { done: true, charged: 1, returned: 1 },
    ],
    ['nothing is charged', {}, ['x', 7], { done: true, charged: 0, returned: 0 }],
    ['slots are charged', withVars({ CHARGE: 'entries' }), ['x', 7], { done: true, charged: 2, returned: 0 }],
    [
      'slots of refused duplicates are refunded',
      withVars({ CHARGE: 'entries' }),
      ['a@policy.test', 'a@policy.test', 7],
      { done: true, charged: 1, returned: 2 },
    ],
  ])('adds up if %s', async (_name, vars, emails, last) => {
    const { key, accountId } = await edge.customer(10);
    const read = await readLines(await edge.verify(key, emails, { ...lines, ...vars }));
    expect(read.at(-1)).toEqual(last);
    expect((await edge.settled(accountId)).balance).toBe(10 - last.charged);
  });
});

it('each batch writes one point and one per reason, in both forms, without addresses', async () => {
  const { key, accountId } = await edge.customer(10);
  const emails = ['a@good.test', 'b@policy.test', 'c@policy.test', 'x', 7];
  await (await edge.verify(key, emails)).text();
  await (await edge.verify(key, emails, lines)).text();
  await edge.settled(accountId);
  const points: unknown = await (await fetch(new URL('/testing/points', edge.url))).json();
  const own = Array.isArray(points) ? points.filter(({ indexes }) => indexes[0] === accountId) : [];
  // Credits and addresses of a batch, then milliseconds.
  const told = own.map(({ blobs: [name], doubles }) => [name, ...doubles.slice(0, 2)].join(' '));
  const batch = ['batch 1 3', 'invalid_syntax 1', 'none 1', 'policy_rejected 2'];
  expect(told.toSorted()).toEqual([...batch, ...batch].toSorted());
  expect(JSON.stringify(own)).not.toMatch(/@|\.test"/);
});
