import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminEdge, startAdminEdge } from '../testing/admin.ts';
import { newOperator, operatorKeys, token } from '../testing/operator.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge();
});
afterAll(() => edge.stop());

const PATH = '/admin/v1/opt-outs';
const count = async () => (await edge.rows<{ n: number }>('SELECT count(*) AS n FROM audit'))[0]?.n;

describe('a call without a proven token', () => {
  test('is refused with 401 and leaves no row', async () => {
    const before = await count();
    const eve = newOperator('eve');
    const now = Math.floor(Date.now() / 1000);
    const get = { origin: edge.origin, method: 'GET', path: PATH };
    const tokens = [
      null,
      'a.b.c',
      await token(eve, get),
      await token(edge.operator, { ...get, origin: 'https://other.example' }),
      await token(edge.operator, get, { claims: { iat: now - 90, exp: now - 40 } }),
      await token(edge.operator, get, { claims: { iat: now, exp: now + 300 } }),
    ];
    for (const bearer of tokens) {
      const answer = await edge.send('GET', PATH, bearer);
      expect(answer).toMatchObject({ status: 401, body: { error: expect.any(String), code: 'UNAUTHORIZED' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="operators"');
    }
    expect(await count()).toBe(before);
  });

  test('does not reveal which paths exist', async () => {
    const known = await edge.send('GET', PATH, null);
    const unknown = await edge.send('GET', '/admin/v1/nowhere', null);
    expect(unknown).toMatchObject({ status: 401, body: known.body });
  });
});

describe('a proven token', () => {
  test('serves one of twenty concurrent uses', async () => {
    const bearer = await token(edge.operator, { origin: edge.origin, method: 'GET', path: PATH });
    const answers = await Promise.all(Array.from({ length: 20 }, () => edge.send('GET', PATH, bearer)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(19);
  });

  test.each([
    ['another body', 'PUT', '/admin/v1/accounts/acme', '{"name":"Mallory"}'],
    ['another path', 'PUT', '/admin/v1/accounts/other', '{"name":"Acme"}'],
    ['another query', 'PUT', '/admin/v1/accounts/acme?dry=1', '{"name":"Acme"}'],
    ['another method', 'DELETE', '/admin/v1/accounts/acme', '{"name":"Acme"}'],
    ['no body', 'PUT', '/admin/v1/accounts/acme', undefined],
  ])('does not serve a call with %s', async (_what, method, path, body) => {
    const signed = { origin: edge.origin, method: 'PUT', path: '/admin/v1/accounts/acme', body: '{"name":"Acme"}' };
    const answer = await edge.send(method, path, await token(edge.operator, signed), body);
    expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining('for another request') } });
    expect(await edge.lastAudit()).toMatchObject({ operator: 'ann', status: 401 });
    expect(await edge.rows("SELECT id FROM accounts WHERE id = 'acme'")).toEqual([]);
  });
});

describe('the audit', () => {
  test('records who did what, when, and with which status', async () => {
    const start = Date.now();
    await edge.call('PUT', '/admin/v1/accounts/audited', { name: 'Audited Ltd' });
    const [row] = await edge.rows<Record<string, unknown>>('SELECT * FROM audit ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({
      operator: 'ann',
      method: 'PUT',
      path: '/admin/v1/accounts/audited',
      status: 201,
      token_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body_hash: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(Number(row?.['at'])).toBeGreaterThanOrEqual(start - 1000);
    expect(JSON.stringify(row)).not.toContain('Audited Ltd');
  });

  test.each<[string, string, string, unknown, number, string]>([
    ['an unknown path', 'GET', '/admin/v1/bob@example.com', undefined, 404, '(unknown path)'],
    ['no path at all', 'GET', '/admin/v1/', undefined, 404, '(unknown path)'],
    ['a wrong method', 'PATCH', '/admin/v1/accounts/acme', {}, 405, '/admin/v1/accounts/:account'],
    ['a name that is none', 'GET', '/admin/v1/accounts/bob@example.com', undefined, 400, '/admin/v1/accounts/:account'],
    ['a key for its id', 'DELETE', `/admin/v1/keys/svc_live_${'a'.repeat(38)}`, undefined, 400, '/admin/v1/keys/:key'],
    ['an unknown parameter', 'GET', '/admin/v1/opt-outs?mail=bob@example.com', undefined, 400, '/admin/v1/opt-outs'],
    ['an unknown parameter of what is polled', 'GET', '/admin/v1/hosts?a=b', undefined, 400, '/admin/v1/hosts'],
    ['an account that is not there', 'GET', '/admin/v1/accounts/nobody', undefined, 404, '/admin/v1/accounts/nobody'],
    ['a body of another form', 'PUT', '/admin/v1/accounts/acme', { nmae: 'x' }, 400, '/admin/v1/accounts/acme'],
    ['a body where none belongs', 'DELETE', '/admin/v1/hosts/h1', {}, 400, '/admin/v1/hosts/h1'],
  ])('has a row for %s, without anything the caller made up', async (_what, method, path, body, status, audited) => {
    const answer = await edge.call(method, path, body);
    expect(answer.status).toBe(status);
    expect(await edge.lastAudit()).toMatchObject({ method, path: audited, status });
    expect(answer.body).toMatchObject({ error: expect.stringMatching(/^[^\n]+\.$/) });
  });

  test('has the status of a call that failed on our side, while the answer gives no details', async () => {
    await edge.rows('ALTER TABLE hosts RENAME TO hosts_away');
    try {
      for (const [method, path] of [
        ['GET', '/admin/v1/hosts'],
        ['DELETE', '/admin/v1/hosts/h1'],
      ] as const) {
        const answer = await edge.call(method, path);
        expect(answer.status).toBe(500);
        expect(JSON.stringify(answer.body)).not.toMatch(/SQL|no such table|hosts/i);
      }
      expect(await edge.lastAudit()).toMatchObject({ path: '/admin/v1/hosts/h1', status: 500 });
      expect(edge.logs.join('\n')).toContain('admin_call_failed');
    } finally {
      await edge.rows('ALTER TABLE hosts_away RENAME TO hosts');
    }
  });

  test('has no row for polled routes, which work while the database takes no writes', async () => {
    const before = await count();
    for (const path of ['/admin/v1/hosts', '/admin/v1/overview'])
      expect(await edge.call('GET', path)).toMatchObject({ status: 200 });
    expect(await count()).toBe(before);
    await edge.rows('ALTER TABLE audit RENAME TO audit_away');
    try {
      expect(await edge.call('GET', '/admin/v1/hosts')).toMatchObject({ status: 200 });
    } finally {
      await edge.rows('ALTER TABLE audit_away RENAME TO audit');
    }
  });

  test('is written first: without its row nothing is done', async () => {
    await edge.rows('ALTER TABLE audit RENAME TO audit_away');
    try {
      expect(await edge.call('PUT', '/admin/v1/accounts/unaudited', { name: 'x' })).toMatchObject({ status: 500 });
    } finally {
      await edge.rows('ALTER TABLE audit_away RENAME TO audit');
    }
    expect(await edge.rows('SELECT id FROM accounts WHERE id = ?', 'unaudited')).toEqual([]);
  });
});

describe('a body', () => {
  test.each([
    ['longer than 16 kB', `{"name":"${'x'.repeat(16_384)}"}`, 413],
    ['that is not JSON', '{name}', 400],
    ['that is not an object', '[]', 400],
    ['that is null', 'null', 400],
    ['that is empty', '', 400],
    ['with a name of two lines', '{"name":"a\\nb"}', 400],
    ['with a number for a name', '{"name":7}', 400],
  ])('%s is rejected in one line', async (_what, body, status) => {
    const path = '/admin/v1/accounts/bodies';
    const answer = await edge.send(
      'PUT',
      path,
      await token(edge.operator, { origin: edge.origin, method: 'PUT', path, body }),
      body,
    );
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(/^[^\n]{5,150}$/) } });
    expect(await edge.lastAudit()).toMatchObject({ status });
  });
});

test('a withdrawn operator is refused at once', async () => {
  const bob = newOperator('bob');
  const without = await startAdminEdge({ OPERATOR_KEYS: operatorKeys(bob) });
  try {
    expect(await without.call('GET', '/admin/v1/hosts')).toMatchObject({ status: 401 });
    const bearer = await token(bob, { origin: without.origin, method: 'GET', path: '/admin/v1/hosts' });
    expect(await without.send('GET', '/admin/v1/hosts', bearer)).toMatchObject({ status: 200 });
  } finally {
    await without.stop();
  }
});
