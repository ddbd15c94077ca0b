import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hashKey } from './access/key.ts';
import { bearerOf } from './access/known-keys.ts';
import { Browser } from './testing/browser.ts';
import { type Edge, startEdge } from './testing/edge.ts';
import { newOperator, operatorKeys, token } from './testing/operator.ts';

// Accounts over three databases: every account is in one of them, and operations on it touch no other.

const operator = newOperator('ann');
const OPERATED = { OPERATOR_KEYS: operatorKeys(operator), LEDGER_DATABASES: '3', RATE_LIMIT: '0' };
const BY_KEY = `SELECT account_id AS account FROM api_keys WHERE hash = ?1`;

type Answered = { readonly status: number; readonly body: unknown };

async function operate(edge: Edge, method: string, path: string, body?: unknown): Promise<Answered> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const { origin } = edge.url;
  const bearer = await token(operator, { origin, method, path: `/admin/v1${path}`, ...text });
  const answer = await fetch(`${origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...text,
  });
  return { status: answer.status, body: await answer.json() };
}

type Opened = { readonly id: string; readonly key: string; readonly number: number };

/** Opens an account as an operator does, with credits and a key. */
async function open(edge: Edge, id: string, credits = 10): Promise<Opened> {
  expect(await operate(edge, 'PUT', `/accounts/${id}`, { name: `name of ${id}` })).toMatchObject({ status: 201 });
  expect(await operate(edge, 'PUT', `/accounts/${id}/grants/first`, { credits })).toMatchObject({ status: 201 });
  const made = await operate(edge, 'PUT', `/keys/key_${id.padEnd(8, '0')}`, { accountId: id, label: 'test' });
  const { key } = z.object({ key: z.string() }).parse(made.body);
  return { id, key, number: await homeOf(edge, id) };
}

/** The one database that has the account's money. */
async function homeOf(edge: Edge, id: string): Promise<number> {
  const here = await Promise.all(
    edge.dbs.map((db) => db.prepare('SELECT 1 FROM accounts WHERE id = ?1 AND database IS NULL').bind(id).first()),
  );
  const numbers = [...here.keys()].filter((number) => here[number] !== null);
  expect(numbers).toHaveLength(1);
  return numbers[0] ?? Number.NaN;
}

const rowsOf = async (edge: Edge, number: number, sql: string): Promise<readonly unknown[]> =>
  (await edge.dbs[number]?.prepare(sql).all())?.results ?? [];

describe('three databases', () => {
  let edge: Edge;
  let accounts: readonly Opened[] = [];
  beforeAll(async () => {
    edge = await startEdge(OPERATED);
    const opened = [];
    for (const id of ['acme', 'beta', 'gamma']) opened.push(await open(edge, id));
    accounts = opened;
  });
  afterAll(() => edge.stop());

  test('a new account goes to the emptiest database, and its key leads there', async () => {
    expect(new Set(accounts.map(({ number }) => number))).toEqual(new Set([0, 1, 2]));
    for (const { key, number } of accounts) {
      const hash = await hashKey(key);
      expect((await bearerOf(key)).database).toBe(number);
      expect(await edge.dbs[number]?.prepare(BY_KEY).bind(hash).first()).not.toBeNull();
    }
  });

  test("a call is held and settled in the account's database only", async () => {
    for (const { id, key, number } of accounts) {
      const answer = await edge.verify(key, [`${id}@good.test`, 'not an address']);
      expect(answer.status).toBe(200);
      await expect.poll(() => edge.credits(key)).toBe(9);
      for (const at of [0, 1, 2])
        expect(await rowsOf(edge, at, `SELECT 1 FROM ledger WHERE account_id = '${id}'`)).toHaveLength(
          at === number ? 2 : 0,
        );
    }
  });

  test('the operator sees all accounts as if they were in one database', async () => {
    const listed = await operate(edge, 'GET', '/accounts?limit=2&search=name+of');
    expect(listed.body).toMatchObject({
      accounts: [
        { id: 'acme', credits: 9, keys: 1 },
        { id: 'beta', credits: 9, keys: 1 },
      ],
      next: 'beta',
    });
    for (const { id } of accounts) {
      expect((await operate(edge, 'GET', `/accounts/${id}`)).body).toMatchObject({
        balance: 9,
        keys: [{ label: 'test', lastUsed: expect.any(String) }],
      });
      expect((await operate(edge, 'GET', `/accounts/${id}/ledger`)).body).toMatchObject({
        rows: [{ delta: -1 }, { delta: 10 }],
      });
    }
  });

  test('a deleted key stops working, in any database', async () => {
    for (const { id, key } of [await open(edge, 'delta'), await open(edge, 'eps'), await open(edge, 'zeta')]) {
      expect(await operate(edge, 'DELETE', `/keys/key_${id.padEnd(8, '0')}`)).toMatchObject({ status: 200 });
      expect((await edge.verify(key, ['kind@good.test'])).status).toBe(401);
    }
  });

  test('a person’s account, keys, form keys and page keys work in any database', { timeout: 120_000 }, async () => {
    for (const n of [0, 1, 2]) {
      const browser = new Browser(edge);
      await browser.signIn(`person-${n}@people.test`);
      expect((await browser.ask('GET', 'balance')).body).toMatchObject({ credits: 0 });
      const made = z.object({ id: z.string(), key: z.string() });
      const { id, key } = made.parse((await browser.ask('POST', 'keys', { kind: 'live', label: 'own' })).body);
      const page = z.object({ key: z.string() }).parse((await browser.ask('POST', 'page-key')).body);
      expect([await edge.credits(key), await edge.credits(page.key)]).toEqual([0, 0]);
      expect((await edge.verify(key, ['ann@good.test'])).status).toBe(402);
      const logged = async (): Promise<unknown> => (await browser.ask('GET', 'requests?status=NO_CREDITS')).body;
      await expect.poll(logged, { timeout: 10_000 }).toMatchObject({ rows: [{ key: id, status: 402 }] });
      expect((await browser.ask('DELETE', `keys/${id}`)).status).toBe(200);
      const form = {
        origins: ['https://one.example'],
        creditsPerDay: 2,
        perMinute: 9,
        perHour: 9,
        rejectsDisposable: true,
      };
      const ofForm = made.parse((await browser.ask('POST', 'keys', { kind: 'form', label: 'Shop', form })).body);
      const change = { label: 'New shop', form: { ...form, origins: ['https://two.example'] } };
      expect((await browser.ask('PUT', `keys/${ofForm.id}`, change)).status).toBe(200);
      expect((await browser.ask('GET', 'keys')).body).toMatchObject({
        keys: [{ label: 'New shop', form: change.form }],
      });
      const check = { method: 'POST', body: JSON.stringify({ key: ofForm.key, email: 'no address' }) };
      const statusAt = async (origin: string) =>
        (await fetch(new URL('/api/v1/form', edge.url), { ...check, headers: { origin } })).status;
      expect([await statusAt('https://one.example'), await statusAt('https://two.example')]).toEqual([401, 200]);
      expect((await browser.ask('GET', 'me/export')).body).toMatchObject({ keysMade: [{ label: 'New shop' }] });
      await browser.ask('POST', 'sign-out');
      for (const gone of [key, page.key]) expect((await edge.verify(gone, ['kind@good.test'])).status).toBe(401);
    }
    const homes = await rowsOf(edge, 0, `SELECT database FROM accounts WHERE name = 'My account'`);
    expect(new Set(homes.map((row) => JSON.stringify(row))).size).toBeGreaterThan(1);
  });

  test('a person who leaves leaves no trace and no working key in any database', { timeout: 120_000 }, async () => {
    const people = [];
    for (const n of [0, 1, 2]) {
      const browser = new Browser(edge);
      const email = `leaver-${n}@people.test`;
      await browser.signIn(email);
      const { person } = Object((await browser.ask('GET', 'me')).body);
      const made = z.object({ key: z.string() });
      const { key } = made.parse((await browser.ask('POST', 'keys', { kind: 'live', label: `of ${email}` })).body);
      expect((await browser.ask('DELETE', 'me', { email })).status).toBe(200);
      people.push({ key, traces: [email, String(person.id), await hashKey(key)] });
    }
    for (const { key } of people) expect((await edge.verify(key, ['kind@good.test'])).status).toBe(401);
    for (const number of edge.dbs.keys()) {
      const found = await rowsOf(edge, number, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
      const tables = z
        .array(z.object({ name: z.string() }))
        .parse(found)
        .filter(({ name }) => !/^(?:_|sqlite)/.test(name));
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const stored = JSON.stringify(await rowsOf(edge, number, `SELECT * FROM "${name}"`));
        for (const { traces } of people)
          expect([name, traces.filter((trace) => stored.includes(trace))]).toEqual([name, []]);
      }
    }
  });

  // Runs last: it leaves a database without its tables.
  test('a failing database is named, and only its own accounts are not served', async () => {
    for (const table of ['holds', 'heartbeat', 'usage_days']) await edge.dbs[1]?.prepare(`DROP TABLE ${table}`).run();
    for (const { key, number } of accounts) {
      const answer = await edge.verify(key, ['kind@good.test']);
      expect([number, answer.status]).toEqual([number, number === 1 ? 500 : 200]);
      if (number === 1) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const { id, number } of accounts) {
      const { status, body } = await operate(edge, 'GET', `/accounts/${id}`);
      expect([number, status]).toEqual([number, number === 1 ? 503 : 200]);
      if (number === 1)
        expect(body).toMatchObject({
          error: `The database DB_1, which has the credits of account ${id}, does not answer.`,
        });
    }
    const listed = await operate(edge, 'GET', '/accounts?search=name+of');
    expect(listed).toMatchObject({ status: 200, body: { missing: ['DB_1'] } });
    const { accounts: shown } = z.object({ accounts: z.array(z.looseObject({ id: z.string() })) }).parse(listed.body);
    for (const { id, number } of accounts)
      expect([number, shown.find((one) => one.id === id)]).toMatchObject([
        number,
        { credits: number === 1 ? null : expect.any(Number) },
      ]);
    const named = { d1: false, problems: expect.arrayContaining(['the database DB_1 does not answer']) };
    await expect.poll(async () => (await fetch(new URL('/health', edge.url))).json()).toMatchObject(named);
  });
});
