import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST_TOKEN_TYPE } from '../schema/link.ts';
import { mintKey, SECRETS, startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';

// What the Worker says to requests that are wrong, and in what order it looks.

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
const post = (
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> => ask('POST', '/api/v1/verify', { body, headers: { ...bearer(rich.key), ...headers } });

async function deleteKey(customer: Customer): Promise<void> {
  await (await edge.db()).prepare('DELETE FROM api_keys WHERE hash = ?').bind(customer.keyHash).run();
}

/** Sends a body of this many bytes in chunks, so without Content-Length. */
async function postChunked(bytes: number): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const headers = { ...bearer(rich.key), 'transfer-encoding': 'chunked' };
  const request = httpRequest(new URL('/api/v1/verify', edge.url), { method: 'POST', headers }, (answer) => {
    text(answer).then(
      (body) => resolve({ status: answer.statusCode ?? 0, headers: new Headers(), body: JSON.parse(body) }),
      reject,
    );
  });
  request.on('error', reject);
  for (let left = bytes; left > 0; left -= 1_000) request.write(' '.repeat(Math.min(left, 1_000)));
  request.end();
  return promise;
}

describe('a body', () => {
  it.each([
    ['missing', null],
    ['empty', ''],
    ['no JSON', 'emails'],
    ['no object', '["a@good.test"]'],
    ['without emails', '{}'],
    ['with emails null', '{"emails":null}'],
    ['with emails an object', '{"emails":{}}'],
    ['with emails a number', '{"emails":3}'],
    ['with emails empty', '{"emails":[]}'],
    ['that is no UTF-8', Uint8Array.of(0xff, 0xfe)],
    ['with an entry nested 20,000 deep', `{"emails":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`],
  ])('%s is refused with 400 INVALID_INPUT', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.any(String), code: 'INVALID_INPUT' });
  });

  it('of 501 entries is refused with 400 TOO_MANY', async () => {
    const answer = await post(JSON.stringify({ emails: Array(501).fill('a@good.test') }));
    expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String), code: 'TOO_MANY' }]);
  });

  it('with Content-Encoding is refused with 400', async () => {
    const answer = await post('{"emails":["a@good.test"]}', { 'content-encoding': 'gzip' });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'INVALID_INPUT' }]);
  });

  it('of any content type is read as JSON', async () => {
    expect((await post('{"emails":["a@good.test"]}', { 'content-type': 'application/xml' })).status).toBe(200);
  });

  it('of 51,201 bytes is refused with 413 and no code, with and without Content-Length', async () => {
    const announced = await post(' '.repeat(51_201));
    expect([announced.status, announced.body]).toEqual([413, { error: expect.any(String) }]);
    const chunked = await postChunked(51_201);
    expect([chunked.status, chunked.body]).toEqual([413, { error: expect.any(String) }]);
  });

  it('of 51,200 bytes is read', async () => {
    const body = '{"emails":["a@good.test"]}';
    expect((await post(body + ' '.repeat(51_200 - body.length))).status).toBe(200);
    expect((await postChunked(51_200)).status).toBe(400);
  });

  it('with entries that are not addresses gets an element for each', async () => {
    const emails = [null, 7, { a: [1] }, ['x'], '', 'a'.repeat(300), 'a@b.test\r\nDATA', true, 1e21];
    const answer = await post(JSON.stringify({ emails }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject([
      { email: null, error: 'invalid' },
      { email: 7, error: 'invalid' },
      { email: { a: [1] }, error: 'invalid' },
      { email: ['x'], error: 'invalid' },
      { email: '', reason: 'invalid_syntax', score: 0 },
      { reason: 'invalid_syntax' },
      { email: 'a@b.test\r\ndata', reason: 'invalid_syntax' },
      { email: true, error: 'invalid' },
      { email: 1e21, error: 'invalid' },
    ]);
  });
});

describe('Authorization', () => {
  it.each([
    ['absent', async () => ({})],
    ['empty', async () => ({ authorization: '' })],
    ['Basic', async () => ({ authorization: 'Basic dXNlcjpwYXNz' })],
    ['doubled', async () => ({ authorization: `Bearer ${rich.key}, Bearer ${rich.key}` })],
    ['without a scheme', async () => ({ authorization: rich.key })],
    ['of another prefix', async () => bearer(await mintKey(SECRETS[0], 'abc_live_'))],
    ['with a forged tag', async () => bearer(await mintKey('not a secret of ours'))],
    ['of a key that was never stored', async () => bearer(await mintKey())],
  ])('%s is answered with 401 UNAUTHORIZED', async (_name, headers) => {
    for (const [method, path] of [
      ['POST', '/api/v1/verify'],
      ['GET', '/api/v1/credits'],
    ] as const) {
      const body = method === 'POST' ? '{"emails":["a@good.test"]}' : null;
      const answer = await ask(method, path, { headers: await headers(), body });
      expect([answer.status, answer.body]).toEqual([401, { error: expect.any(String), code: 'UNAUTHORIZED' }]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('is refused without any I/O if the tag is wrong', async () => {
    await edge.quiet();
    await ask('GET', '/api/v1/credits', { headers: bearer(await mintKey('not a secret of ours')) });
    expect(await edge.calls()).toEqual({ d1: 0, objects: 0 });
  });

  it('takes a scheme in any case, and keys of the old secret while it is there', async () => {
    const { key } = await edge.customer(1);
    expect((await ask('GET', '/api/v1/credits', { headers: { authorization: `bEARER  ${key}` } })).status).toBe(200);
    const newest = 'newest'.padEnd(32, '.');
    const rotated = withVars({ KEY_SECRETS: `${newest},${SECRETS[0]}` });
    expect((await ask('GET', '/api/v1/credits', { headers: { ...bearer(key), ...rotated } })).status).toBe(200);
    const withdrawn = withVars({ KEY_SECRETS: newest });
    expect((await ask('GET', '/api/v1/credits', { headers: { ...bearer(key), ...withdrawn } })).status).toBe(401);
  });

  it('of a deleted key is answered with 401, even if something else is wrong with the request', async () => {
    const gone = await edge.customer(100);
    await deleteKey(gone);
    const headers = bearer(gone.key);
    for (const body of ['{"emails":["a@good.test"]}', '{"emails":[7]}', '{}', ' '.repeat(51_201)])
      expect((await ask('POST', '/api/v1/verify', { headers, body })).status).toBe(401);
    expect((await ask('GET', '/api/v1/credits', { headers })).status).toBe(401);
    expect((await edge.money(gone.accountId)).rows).toEqual([]);
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/'],
    ['POST', '/api/v1/verify/'],
    ['POST', '/api/v1/verify/bulk'],
    ['POST', '/api/v2/verify'],
    ['GET', '/api/v1/verify/a@good.test'],
  ])('%s %s is 404 without a code, key or no key', async (method, path) => {
    for (const headers of [{}, bearer(rich.key)]) {
      const answer = await ask(method, path, { headers });
      expect([answer.status, answer.body]).toEqual([404, { error: expect.any(String) }]);
    }
  });

  it.each([
    ['GET', '/api/v1/verify', 'POST'],
    ['HEAD', '/api/v1/verify', 'POST'],
    ['DELETE', '/api/v1/verify', 'POST'],
    ['OPTIONS', '/api/v1/verify', 'POST'],
    ['POST', '/api/v1/credits', 'GET, HEAD'],
    ['PUT', '/api/v1/credits', 'GET, HEAD'],
    ['POST', '/api/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/link', 'GET'],
    ['HEAD', '/link', 'GET'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body).toEqual(method === 'HEAD' ? null : { error: expect.any(String) });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('serves HEAD as GET if there is a GET', async () => {
    const answer = await ask('HEAD', '/api/v1/credits', { headers: bearer(rich.key) });
    expect([answer.status, answer.body]).toEqual([200, null]);
  });
});

describe('the order of the checks', () => {
  it('is 401, 429, 413, 400, 402, and nothing behind a failed one runs', async () => {
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

  it('says in a 402 how many credits are needed and how many remain', async () => {
    const { key, accountId } = await edge.customer(2);
    const answer = await edge.verify(key, ['a@good.test', 'b@good.test', 'c@good.test']);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ error: 'This request needs 3 credits; 2 remain.', code: 'NO_CREDITS' });
    expect(await edge.money(accountId)).toEqual({ balance: 2, rows: [] });
  });
});

describe('every answer', () => {
  it('has a request id of its own, and forbids sniffing, storing and plain HTTP', async () => {
    const answers = await Promise.all([
      ask('GET', '/nowhere'),
      ask('GET', '/api/v1/credits'),
      ask('GET', '/api/v1/credits', { headers: bearer(rich.key) }),
      post('{"emails":["a@good.test"]}'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
      expect(headers.get('content-type')).toBe('application/json');
    }
    expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(4);
  });

  it('to an error that nobody foresaw is 500 with the request id, without a code and without the reason', async () => {
    const answer = await ask('GET', '/api/v1/credits', {
      headers: { ...bearer(rich.key), ...withVars({ RATE_LIMIT: 'x' }) },
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^Something went wrong on our side\./) });
    expect(edge.logs.join('\n')).toContain('RATE_LIMIT');
  });
});

describe('a caller without a key', () => {
  it('gets 429 after too many 401s, without headers of a key, and others do not', async () => {
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

/** Dials in with a token in the form of a host's. @returns the status of the refusal */
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

describe('a stranger at the door of probe hosts', () => {
  it('is refused with 401, and after too many of them with 429, and others are not', async () => {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => dial('192.0.2.10')));
    expect(new Set(statuses)).toEqual(new Set([401]));
    await expect.poll(() => dial('192.0.2.10'), { timeout: 10_000, interval: 10 }).toBe(429);
    expect(await dial('192.0.2.11')).toBe(401);
  });
});

describe('round trips of a request', () => {
  it('are one of D1 before the answer and one after it, and two of objects', async () => {
    const { key, accountId } = await edge.customer(5);
    await edge.quiet();
    expect((await edge.verify(key, ['a@good.test', 'b@policy.test'])).status).toBe(200);
    await edge.settled(accountId);
    expect(await edge.calls()).toEqual({ d1: 2, objects: 2 });
  });

  it('are one of D1 and one object if nothing is charged', async () => {
    const { key } = await edge.customer(0);
    await edge.quiet();
    expect((await edge.verify(key, ['no address', 7])).status).toBe(200);
    expect(await edge.credits(key)).toBe(0);
    expect(await edge.calls()).toEqual({ d1: 2, objects: 2 });
  });
});
