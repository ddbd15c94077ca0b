import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Edge } from './testing/edge.ts';

// Other forms of request and answer: lines, and the older interface.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
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
  it('has each element once with its index, and says last what it cost', async () => {
    const { key, accountId } = await edge.customer(10);
    const answer = await edge.verify(key, ['a@good.test', 7, 'A@GOOD.test', 'b@policy.test', 'x'], lines);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('ratelimit-remaining')).toBe('59');
    const read = await readLines(answer);
    expect(read.at(-1)).toEqual({ done: true, charged: 1, returned: 1 });
    expect(read.slice(0, -1)).toHaveLength(5);
    expect(read).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ index: 0, email: 'a@good.test', result: 'deliverable' }),
        { index: 1, email: 7, error: 'invalid' },
        expect.objectContaining({ index: 2, email: 'a@good.test' }),
        expect.objectContaining({ index: 3, reason: 'policy_rejected' }),
        expect.objectContaining({ index: 4, reason: 'invalid_syntax' }),
      ]),
    );
    expect(await edge.settled(accountId)).toEqual({
      balance: 9,
      rows: [
        ['hold', -2],
        ['return', 1],
      ],
    });
  });

  it.each([
    ['nothing is charged', {}, ['x', 7], { done: true, charged: 0, returned: 0 }],
    ['slots are charged', withVars({ CHARGE: 'entries' }), ['x', 7], { done: true, charged: 2, returned: 0 }],
    [
      'slots of refused duplicates go back',
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

describe('the older forms', () => {
  const on = withVars({ LEGACY: 'on' });
  const get = (key: string, query: string): Promise<Response> =>
    fetch(new URL(`/api/v1/verify${query}`, edge.url), { headers: { ...bearer(key), ...on } });

  it('verify one address of the query, without status and score, and charge it', async () => {
    const { key, accountId } = await edge.customer(10);
    const answer = await get(key, '?email=A@good.test');
    const body: unknown = await answer.json();
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({ email: 'a@good.test', result: 'deliverable', syntax: true });
    expect(body).not.toHaveProperty('status');
    expect(body).not.toHaveProperty('score');
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(answer.headers.get('link')).toBe('</api/v1/verify>; rel="successor-version"');
    expect(answer.headers.get('ratelimit-remaining')).toBe('59');
    expect((await edge.settled(accountId)).balance).toBe(9);
  });

  it('give a refused probe back and ask for credits first', async () => {
    const { key, accountId } = await edge.customer(1);
    expect((await get(key, '?email=a@policy.test')).status).toBe(200);
    expect((await edge.settled(accountId)).balance).toBe(1);
    expect((await get((await edge.customer(0)).key, '?email=a@good.test')).status).toBe(402);
    expect((await get('no key', '?email=')).status).toBe(401);
  });

  it('verify a bulk as an object with total and results', async () => {
    const { key, accountId } = await edge.customer(10);
    const answer = await fetch(new URL('/api/v1/verify/bulk', edge.url), {
      method: 'POST',
      headers: { ...bearer(key), ...on },
      body: '{"emails":["a@good.test",7]}',
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      total: 2,
      results: [
        { status: 'valid', score: 95 },
        { email: 7, error: 'invalid' },
      ],
    });
    expect((await edge.settled(accountId)).balance).toBe(9);
  });
});

it('each batch is one point of the dataset and one for each reason, whole or in lines, with no address', async () => {
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
