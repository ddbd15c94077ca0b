import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Edge } from '../testing/edge.ts';
import { newForm, SHOP, type Asked } from '../testing/form.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const said = async (answer: Response): Promise<readonly [number, unknown]> => [answer.status, await answer.json()];
const failed = async (answer: Response): Promise<readonly [number, unknown, string]> => {
  const { code, error } = Object(await answer.json());
  return [answer.status, code, error];
};
const from = (address: string): Asked => ({ headers: { 'cf-connecting-ip': address } });

describe('a check of a form', () => {
  it.each([
    ['a@good.test', 'accept', null, 1],
    ['a@catchall.test', 'accept', null, 1],
    ['a@dead.test', 'reject', 'no_such_mailbox', 1],
    ['not an address', 'reject', 'invalid_syntax', 0],
    ['a@grey.test', 'unsure', null, 1],
    ['a@policy.test', 'unsure', null, 0],
  ])('says of %s: %s, %s; and costs %i', async (email, verdict, reason, credits) => {
    const { ask, accountId } = await newForm(edge);
    const answer = await ask(email);
    const names = [...answer.headers.keys()].filter((name) =>
      /^(rcpt-(?!request-id)|ratelimit-|idempotency-)/.test(name),
    );
    expect([await said(answer), names]).toEqual([[200, { verdict, reason, did_you_mean: null }], []]);
    expect((await edge.settled(accountId)).balance).toBe(100 - credits);
  });

  it('is readable by pages of its origins, answers and errors alike, and by no others', async () => {
    const { ask, key } = await newForm(edge, {}, { credits: 0 });
    const [few, wrong] = [await ask('a@good.test'), await ask('', { body: { key } })];
    for (const [answer, status] of [[few, 402] as const, [wrong, 400] as const]) {
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, SHOP]);
      expect(answer.headers.get('vary')).toContain('Origin');
      expect(answer.headers.get('access-control-expose-headers')).toBe('rcpt-request-id, retry-after');
      expect(answer.headers.get('rcpt-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    const other = await ask('a@good.test', { headers: { origin: 'https://other.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('vary')).toContain('Origin');
  });

  it("is allowed from the service's own pages, so that owners can try it", async () => {
    const { ask } = await newForm(edge);
    expect((await ask('a@good.test', { headers: { origin: edge.url.origin } })).status).toBe(200);
  });

  it('is charged once, however often it is repeated with the same id', async () => {
    const { ask, key, charged } = await newForm(edge);
    const body = { key, email: 'a@good.test', id: 'page-1' };
    for (let n = 0; n < 3; n += 1) expect((await ask('', { body })).status).toBe(200);
    expect(await charged()).toBe(1);
    expect(await failed(await ask('', { body: { ...body, email: 'b@good.test' } }))).toEqual([
      422,
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used with another body.',
    ]);
  });

  it('shares no ids with requests of the account’s servers', async () => {
    const { ask, key, secretKey } = await newForm(edge);
    expect((await ask('', { body: { key, email: 'a@good.test', id: 'k' } })).status).toBe(200);
    const answer = await edge.verify(await secretKey(), ['b@good.test'], { 'idempotency-key': 'k' });
    expect([answer.status, answer.headers.get('idempotency-charged')]).toEqual([200, '0']);
  });

  it('waits as long as requested, and is unsure and free without a result by then', async () => {
    const { ask, key, accountId } = await newForm(edge);
    const answer = await ask('', { body: { key, email: 'a@silent.test', wait: 1 } });
    expect(await said(answer)).toEqual([200, { verdict: 'unsure', reason: null, did_you_mean: null }]);
    expect((await edge.settled(accountId)).balance).toBe(100);
  });

  it('with a test key is answered from the sandbox, for free', async () => {
    const { ask, accountId } = await newForm(edge, {}, { kind: 'formtest', credits: 0 });
    expect(await said(await ask('nobody@deliverable.test'))).toMatchObject([200, { reason: 'no_such_mailbox' }]);
    expect((await edge.money(accountId)).rows).toEqual([]);
  });

  it('with a test key is limited by the day alone', async () => {
    const { ask } = await newForm(edge, { creditsPerDay: 8 }, { kind: 'formtest', credits: 0 });
    const asks = Array.from({ length: 8 }, (_, n) =>
      ask(n === 0 ? 'no address' : 'ok@deliverable.test', from('192.0.2.78')),
    );
    expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const spent = await ask('ok@deliverable.test', from('192.0.2.78'));
    expect(await failed(spent)).toEqual([429, 'RATE_LIMITED', expect.stringContaining('used its checks of today')]);
  });

  it('writes no address and no network to the log', async () => {
    const { ask } = await newForm(edge);
    await ask('somebody@good.test', from('192.0.2.77'));
    expect(edge.logs.filter((line) => /somebody|192\.0\.2\.77/.test(line))).toEqual([]);
  });
});

describe('a call that is not a check', () => {
  it.each([
    ['from another origin', { headers: { origin: 'https://shop.example:444' } }, 401, /add that origin to it/],
    ['from a page without an origin', { headers: { origin: 'null' } }, 401, /a server calls POST \/api\/v1\/verify/],
    ['from no page', { headers: { origin: null } }, 401, /has no Origin/],
    ['sent by a form', { body: 'key=svc_form_x&email=a%40good.test' }, 400, /by fetch/],
    ['of 100 kB', { body: 'x'.repeat(100_000) }, 413, /send one address/],
    ['that is not JSON', { body: '{' }, 400, /not JSON/],
    ['without a key', { body: { email: 'a@good.test' } }, 401, /has no key/],
    [
      'with a key that was never issued',
      { body: { key: `svc_form_${'0'.repeat(38)}`, email: 'x' } },
      401,
      /not the key/,
    ],
  ])('is rejected: %s', async (_how, asked: Asked, status, sentence) => {
    const { ask, accountId } = await newForm(edge);
    const [answered, , error] = await failed(await ask('a@good.test', asked));
    expect([answered, error]).toEqual([status, expect.stringMatching(sentence)]);
    expect((await edge.money(accountId)).rows).toEqual([]);
  });

  it.each([
    ['email', { email: 7 }],
    ['email', {}],
    ['wait', { email: 'a@good.test', wait: 11 }],
    ['id', { email: 'a@good.test', id: '' }],
  ])('is rejected with the name of the wrong %s', async (name, body) => {
    const { ask, key } = await newForm(edge);
    const [status, , error] = await failed(await ask('', { body: { key, ...body } }));
    expect([status, error]).toEqual([400, expect.stringContaining(`The member ${name} is`)]);
  });

  it('is rejected with 405 for any other method', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) {
      const answer = await fetch(new URL('/api/v1/form', edge.url), { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('with the wrong kind of key is told which key belongs where', async () => {
    const { ask, key } = await newForm(edge);
    const secret = (await edge.customer(5)).key;
    expect(await failed(await ask('', { body: { key: secret, email: 'a@good.test' } }))).toMatchObject([
      401,
      'UNAUTHORIZED',
      expect.stringMatching(/secret key: it belongs on a server.*delete it/),
    ]);
    const elsewhere = await edge.verify(key, ['a@good.test']);
    expect(await failed(elsewhere)).toMatchObject([401, 'UNAUTHORIZED', expect.stringContaining('POST /api/v1/form')]);
  });

  it('is rejected with a deleted key', async () => {
    const { ask, keyHash } = await newForm(edge);
    expect((await ask('a@good.test')).status).toBe(200);
    await (await edge.db()).prepare('DELETE FROM api_keys WHERE hash = ?').bind(keyHash).run();
    expect((await ask('a@good.test')).status).toBe(401);
  });
});

describe('strangers', () => {
  it('from one network, counted by /64, get six checks a minute without affecting others', async () => {
    const { ask, charged } = await newForm(edge);
    const asks = ['::1', '::2', '::3:4', '::', ':ffff::', '::6', '::7', '::8'].map((tail) =>
      ask('a@good.test', from(`2001:db8:0:7${tail}`)),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    const late = await ask('a@good.test', from('2001:db8:0:7::9'));
    expect(await failed(late)).toMatchObject([429, 'RATE_LIMITED', expect.stringContaining('from this network')]);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask('a@good.test', from('2001:db8:0:8::1'))).status).toBe(200);
    expect(await charged()).toBe(7);
  });

  it('can spend the credits of a day and no more; refunds return to it, and free checks continue', async () => {
    const { ask, charged } = await newForm(edge, { creditsPerDay: 2 });
    for (const email of ['a@policy.test', 'b@policy.test', 'c@policy.test', 'a@good.test']) {
      await expect.poll(async () => (await ask(email)).status).toBe(200);
      await charged();
    }
    await expect.poll(async () => (await ask('b@good.test')).status).toBe(200);
    const spent = await ask('c@good.test');
    expect(await failed(spent)).toMatchObject([429, 'RATE_LIMITED', expect.stringContaining('credits of today')]);
    expect(spent.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect((await ask('no address')).status).toBe(200);
    expect(await charged()).toBe(2);
  });

  it("learn nothing about the account's balance", async () => {
    const { ask } = await newForm(edge, {}, { credits: 0 });
    const answer = await ask('a@good.test');
    expect(await failed(answer)).toEqual([402, 'NO_CREDITS', 'The account of this form has no credits left.']);
    expect(answer.headers.get('rcpt-remaining')).toBeNull();
  });

  it('take nothing from the calls of the account’s servers', async () => {
    const { ask, secretKey } = await newForm(edge);
    const headers = withVars({ RATE_LIMIT: '1', ACCOUNT_RATE_LIMIT: '1' });
    for (const email of ['a@good.test', 'b@good.test']) expect((await ask(email, { headers })).status).toBe(200);
    expect((await edge.verify(await secretKey(), ['a@good.test'], headers)).status).toBe(200);
  });

  it('get no checks while the limiter is unreachable', async () => {
    const { ask, accountId } = await newForm(edge);
    await edge.fail({ limiter: 'away' });
    const answer = await ask('a@good.test');
    await edge.fail({ limiter: 'there' });
    expect(answer.status).toBe(500);
    expect((await edge.money(accountId)).rows).toEqual([]);
  });
});
