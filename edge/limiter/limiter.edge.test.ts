import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnEdge, withVars, type Edge } from '../testing/edge.ts';
import { bearerOf } from '../access/known-keys.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

const credits = (key: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(new URL('/api/v1/credits', edge.url), { headers: { authorization: `Bearer ${key}`, ...headers } });
const header = (answers: readonly Response[], name: string): readonly number[] =>
  answers.map((answer) => Number(answer.headers.get(name)));

describe('the limit of a key', () => {
  it('is not looked up again, until its window ends, once a Worker knows that it is exceeded', async () => {
    const { key } = await edge.customer(0);
    const one = withVars({ RATE_LIMIT: '1' });
    await edge.quiet();
    const answers = [await credits(key, one), await credits(key, one), await credits(key, one)];
    expect(answers.map((answer) => answer.status)).toEqual([200, 429, 429]);
    expect(await edge.calls()).toEqual({ d1: 1, objects: 1 });
    const [, asked, known] = answers.map((answer) => Number(answer.headers.get('ratelimit-reset')));
    expect(Number(asked) - Number(known)).toBeLessThanOrEqual(1);
    expect(answers[2]?.headers.get('retry-after')).toBe(String(known));
    expect(answers[2]?.headers.get('ratelimit-remaining')).toBe('0');
  });

  it('survives the eviction of its object', async () => {
    const { key } = await edge.customer(0);
    const { limiter } = await bearerOf(key);
    const two = withVars({ RATE_LIMIT: '2' });
    expect((await credits(key, two)).status).toBe(200);
    await edge.mf.unsafeEvictDurableObject('edge', 'Limiter', { name: limiter });
    expect((await credits(key, two)).status).toBe(200);
    await edge.mf.unsafeEvictDurableObject('edge', 'Limiter', { name: limiter });
    expect((await credits(key, two)).status).toBe(429);
  });

  it('counts calls with a deleted key, which get 401 and then 429', async () => {
    const { key, keyHash } = await edge.customer(0);
    await (await edge.db()).prepare('DELETE FROM api_keys WHERE hash = ?').bind(keyHash).run();
    const one = withVars({ RATE_LIMIT: '1' });
    const answers = [await credits(key, one), await credits(key, one)];
    expect(answers.map((answer) => answer.status)).toEqual([401, 429]);
    expect(header(answers, 'ratelimit-remaining')).toEqual([0, 0]);
  });

  it('is off, without headers, if the operator turns it off', async () => {
    const { key } = await edge.customer(0);
    await edge.quiet();
    const answer = await credits(key, withVars({ RATE_LIMIT: '0' }));
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null]);
    expect(await edge.calls()).toEqual({ d1: 1, objects: 0 });
  });

  it('is waived, without headers, while the limiter is unreachable, and the operator is told', async () => {
    const { key, keyHash } = await edge.customer(0);
    await edge.fail({ limiter: 'away' });
    const answer = await credits(key);
    await edge.fail({ limiter: 'there' });
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null]);
    const line = edge.logs.find((text) => text.includes('limiter_unreachable')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', requestId: answer.headers.get('rcpt-request-id') });
    expect(line).not.toContain(key);
    expect(line).not.toContain(keyHash);
  });

  it("still refuses while the limiter is overloaded by this account's calls", async () => {
    const { key } = await edge.customer(5);
    const other = await edge.customer(5);
    await edge.fail({ limiter: 'overloaded' });
    const refused = await edge.verify(key, ['a@good.test']);
    await edge.fail({ limiter: 'there' });
    expect([refused.status, await refused.json()]).toEqual([429, { error: expect.any(String), code: 'RATE_LIMITED' }]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    // It is left alone until then, and no other account pays for it.
    await edge.quiet();
    expect((await credits(key)).status).toBe(429);
    expect(await edge.calls()).toEqual({ d1: 0, objects: 0 });
    expect((await credits(other.key)).status).toBe(200);
    expect(edge.logs.join('\n')).toContain('limiter_overloaded');
  });
});
