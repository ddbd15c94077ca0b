import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST_TOKEN_TYPE } from '../schema/link.ts';
import { mintKey, SECRETS, startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';

// What the Worker answers to wrong requests, and in what order it checks.

let edge: Edge;
let rich: Customer;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '100000' });
  rich = await edge.customer(100_000);
});
afterAll(() => edge.stop());

type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

async function ask(method: string, path: string, init: RequestInit = {}): Promise<HttpAnswer> {
  const answer = await fetch(new URL(path, edge.url), { method, ...init });
  return { status: answer.status, headers: answer.headers, body: JSON.parse((await answer.text()) || 'null') };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const post = (body: string): Promise<HttpAnswer> => ask('POST', '/api/v1/verify', { body, headers: bearer(rich.key) });

describe('Authorization', () => {
  it('is refused without any I/O if the tag is wrong', async () => {
    await edge.quiet();
    await ask('GET', '/api/v1/credits', { headers: bearer(await mintKey('not a secret of ours')) });
    expect(await edge.calls()).toEqual({ d1: 0, objects: 0 });
  });

  it('accepts a scheme in any case, and keys of an old secret until it is withdrawn', async () => {
    const { key } = await edge.customer(1);
    expect((await ask('GET', '/api/v1/credits', { headers: { authorization: `bEARER  ${key}` } })).status).toBe(200);
    const newest = 'newest'.padEnd(32, '.');
    const rotated = withVars({ KEY_SECRETS: `${newest},${SECRETS[0]}` });
    expect((await ask('GET', '/api/v1/credits', { headers: { ...bearer(key), ...rotated } })).status).toBe(200);
    const withdrawn = withVars({ KEY_SECRETS: newest });
    expect((await ask('GET', '/api/v1/credits', { headers: { ...bearer(key), ...withdrawn } })).status).toBe(401);
  });
});

describe('the order of the checks', () => {
  it('is 401, 429, 413, 400, 402, and nothing after a failed one runs', async () => {
    const { key } = await edge.customer(0);
    const everything = { body: ' '.repeat(51_201), headers: bearer('wrong') };
    expect((await ask('POST', '/api/v1/verify', everything)).status).toBe(401);
    const once = withVars({ RATE_LIMIT: '1' });
    const calls: unknown[] = [];
    for (const [vars, body, status] of [
      [once, ' '.repeat(51_201), 413],
      [once, ' '.repeat(51_201), 429],
      [{}, '{}', 400],
      [{}, '{"emails":["a@good.test"]}', 402],
    ] as const) {
      await edge.quiet();
      const answer = await ask('POST', '/api/v1/verify', { body, headers: { ...bearer(key), ...vars } });
      expect(answer.status).toBe(status);
      calls.push(await edge.calls());
    }
    expect(calls).toEqual([
      { d1: 1, objects: 1 },
      { d1: 0, objects: 0 },
      { d1: 1, objects: 1 },
      { d1: 2, objects: 1 },
    ]);
  });
});

describe('every answer', () => {
  it('has its own request id, and forbids sniffing, storing and plain HTTP', async () => {
    const answers = await Promise.all([
      ask('GET', '/nowhere'),
      ask('GET', '/api/v1/credits'),
      ask('GET', '/api/v1/credits', { headers: bearer(rich.key) }),
      post('{"emails":["a@good.test"]}'),
      ask('GET', '/api/v1/verify'),
      post('{}'),
      ask('POST', '/api/v1/form', { body: '{}' }),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
      expect(headers.get('content-type')).toBe('application/json');
    }
    const lines = await edge.verify(rich.key, ['a@good.test'], { accept: 'application/x-ndjson' });
    const ids = [...answers, lines].map(({ headers }) => headers.get('rcpt-request-id'));
    expect([new Set(ids).size, ids.includes(null)]).toEqual([8, false]);
  });

  it('to an unexpected error is 500 with the request id, without a code and the reason', async () => {
    const answer = await ask('GET', '/api/v1/credits', {
      headers: { ...bearer(rich.key), ...withVars({ RATE_LIMIT: 'x' }) },
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^Something went wrong on our side\./) });
    expect(edge.logs.join('\n')).toContain('RATE_LIMIT');
  });
});

describe('a caller without a key', () => {
  it('gets 429 after too many 401s, without RateLimit headers, and others do not', async () => {
    const from = (address: string): Promise<HttpAnswer> =>
      ask('GET', '/api/v1/credits', { headers: { 'cf-connecting-ip': address } });
    const first = await Promise.all(Array.from({ length: 100 }, () => from('192.0.2.1')));
    expect(first.every(({ status }) => status === 401)).toBe(true);
    await expect.poll(async () => (await from('192.0.2.1')).status).toBe(429);
    const answer = await from('192.0.2.1');
    expect([answer.status, answer.body]).toEqual([429, { error: expect.any(String), code: 'RATE_LIMITED' }]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
    expect((await from('192.0.2.2')).status).toBe(401);
    const withKey = await ask('GET', '/api/v1/credits', {
      headers: { ...bearer(rich.key), 'cf-connecting-ip': '192.0.2.1' },
    });
    expect(withKey.status).toBe(200);
  });
});

const part = (of: object): string => Buffer.from(JSON.stringify(of)).toString('base64url');

/** Dials in with a well-formed token. @returns the status of the refusal */
async function dial(address: string): Promise<number> {
  const [iat, exp] = [Math.floor(Date.now() / 1000), Math.floor(Date.now() / 1000) + 60];
  const body = part({ iss: 'nobody', aud: edge.url.origin, iat, exp });
  const token = `${part({ alg: 'EdDSA', typ: HOST_TOKEN_TYPE })}.${body}.${'A'.repeat(86)}`;
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'cf-connecting-ip': address, ...bearer(token) };
  const asked = httpRequest(new URL('/link?shard=0', edge.url), { headers }).end();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  asked.on('response', (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  asked.on('error', reject);
  return promise;
}

describe("a stranger at the probe hosts' endpoint", () => {
  it('gets 401, and after too many of them 429, and others do not', async () => {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => dial('192.0.2.10')));
    expect(new Set(statuses)).toEqual(new Set([401]));
    await expect.poll(() => dial('192.0.2.10'), { timeout: 10_000, interval: 10 }).toBe(429);
    expect(await dial('192.0.2.11')).toBe(401);
  });
});

describe('round trips of a request', () => {
  it('are one to D1 before the answer, one after it, and two to objects', async () => {
    const { key, accountId } = await edge.customer(5);
    for (const headers of [{}, { 'idempotency-key': 'k' }, { 'idempotency-key': 'k' }]) {
      await edge.quiet();
      expect((await edge.verify(key, ['a@good.test', 'b@policy.test'], headers)).status).toBe(200);
      await edge.settled(accountId);
      expect(await edge.calls()).toEqual({ d1: 2, objects: 2 });
    }
  });
});
