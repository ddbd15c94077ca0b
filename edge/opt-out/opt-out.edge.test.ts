import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, type Edge, inIsolate, startEdge, withVars } from '../testing/edge.ts';
import { newOperator, operatorKeys, token } from '../testing/operator.ts';

// The scripted fleet throws when it is asked about `throws.test`: an answer proves that it was not.

const OPERATOR = newOperator('ann');
const PATH = '/admin/v1/opt-outs';
const NOT_PROBED = {
  result: 'unknown',
  status: 'unknown',
  reason: 'policy_rejected',
  smtp_check: false,
  smtp_code: null,
  retry_after: null,
  mx_records: [],
};

let edge: Edge;
let customer: Customer;
let nonces = 0;
beforeAll(async () => {
  edge = await startEdge({
    RATE_LIMIT: '0',
    OPERATOR_KEYS: operatorKeys(OPERATOR),
    OPT_OUT_SECRET: 'secret of the opt-outs: 32 bytes or more',
  });
  customer = await edge.customer(1_000);
});
afterAll(() => edge.stop());

async function operate(method: 'GET' | 'PUT' | 'DELETE', domain?: string, headers: Record<string, string> = {}) {
  nonces += 1;
  const body = domain === undefined ? '' : JSON.stringify({ domain, nonce: String(nonces).padStart(22, '0') });
  const bearer = await token(OPERATOR, { origin: edge.url.origin, method, path: PATH, body });
  const answer = await fetch(new URL(PATH, edge.url), {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    ...(body === '' ? {} : { body }),
  });
  return { status: answer.status, body: await answer.json() };
}

const verify = (isolate: string, emails: readonly string[], headers: Record<string, string> = {}) =>
  edge.verify(customer.key, emails, { ...inIsolate(isolate), ...headers });

describe('a domain that opted out', () => {
  test('is listed once, by its hash and the date, however it is spelled', async () => {
    const added = await operate('PUT', 'Twice.Example');
    expect(added).toEqual({
      status: 201,
      body: { hash: expect.stringMatching(/^[\w-]{43}$/), createdAt: expect.any(String) },
    });
    expect(await operate('PUT', 'twice.example')).toEqual({ status: 200, body: added.body });
    expect(await operate('GET')).toEqual({ status: 200, body: { optOuts: [added.body] } });
    expect(await operate('DELETE', 'twice.example')).toMatchObject({ status: 200, body: { removed: true } });
    expect(await operate('DELETE', 'twice.example')).toMatchObject({ status: 404 });
    expect(await operate('GET')).toEqual({ status: 200, body: { optOuts: [] } });
  });

  test('is never probed, nor are its subdomains; other entries are, each in its slot', async () => {
    await operate('PUT', 'throws.test');
    const emails = ['a@good.test', 'b@throws.test', 'c@Mail.Throws.test', 'd@dead.test', 'no address', 'e@throws.test'];
    const answer = await verify('never', emails);
    expect(await answer.json()).toMatchObject([
      { email: 'a@good.test', status: 'valid' },
      { email: 'b@throws.test', ...NOT_PROBED },
      { email: 'c@mail.throws.test', ...NOT_PROBED },
      { email: 'd@dead.test', status: 'invalid' },
      { email: 'no address', reason: 'invalid_syntax' },
      { email: 'e@throws.test', ...NOT_PROBED },
    ]);
    expect([answer.headers.get('rcpt-charged'), answer.headers.get('rcpt-returned')]).toEqual(['2', '3']);
  });

  test("is looked up in D1 with an isolate's first hold, and then from memory", async () => {
    await edge.quiet();
    await verify('trips', ['a@good.test']);
    await edge.settled(customer.accountId);
    expect(await edge.calls()).toMatchObject({ d1: 3 });
    await verify('trips', ['a@good.test', 'b@throws.test']);
    await edge.settled(customer.accountId);
    expect(await edge.calls()).toMatchObject({ d1: 2 });
  });

  test('leaves no trace of its name in tables or logs, and no digest that could be reversed', async () => {
    const db = await edge.db();
    const tables = await db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .all<{ name: string }>();
    const rows = await Promise.all(tables.results.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`).all()));
    expect(rows.length).toBeGreaterThan(10);
    expect(JSON.stringify(rows.map(({ results }) => results)) + edge.logs.join('\n')).not.toMatch(/throws|twice/i);
    const digests = await db
      .prepare(`SELECT body_hash AS digest FROM audit WHERE path = '${PATH}' AND method = 'PUT'`)
      .all();
    expect(new Set(digests.results.map(({ digest }) => digest)).size).toBe(digests.results.length);
  });
});

test('if the list cannot be read, no address is probed and nothing is charged', async () => {
  const db = await edge.db();
  const before = await edge.credits(customer.key);
  await db.prepare('ALTER TABLE opt_outs RENAME TO opt_outs_away').run();
  try {
    expect((await verify('unread', ['a@good.test'])).status).toBe(500);
  } finally {
    await db.prepare('ALTER TABLE opt_outs_away RENAME TO opt_outs').run();
  }
  await edge.settled(customer.accountId);
  expect(await edge.credits(customer.key)).toBe(before);
});

test('a deployment without the secret has no list, and does not read one', async () => {
  const without = withVars({ OPT_OUT_SECRET: '' });
  expect(await operate('PUT', 'throws.test', without)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('OPT_OUT_SECRET') },
  });
  await edge.quiet();
  await edge.verify(customer.key, ['a@good.test'], without);
  await edge.settled(customer.accountId);
  expect(await edge.calls()).toMatchObject({ d1: 2 });
});

test.each(['test', '192.0.2.1', '[192.0.2.1]', 'a b.test', 'a@b.test', ''])('%j is not a domain', async (domain) => {
  expect(await operate('PUT', domain)).toMatchObject({ status: 400 });
});
