import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '100', RATE_LIMIT: '0' });
});
afterAll(() => edge.stop());

let people = 0;
type Holder = { readonly browser: Browser; readonly account: string; readonly key: string; readonly keyId: string };

async function newHolder(): Promise<Holder> {
  const browser = new Browser(edge);
  await browser.signIn(`saver-${(people += 1)}@people.test`);
  const { account } = Object((await browser.ask('GET', 'me')).body);
  const { key, id: keyId } = Object((await browser.ask('POST', 'keys', { kind: 'live', label: 'CRM' })).body);
  return { browser, account: account.id, key, keyId };
}

async function read(browser: Browser, path: string): Promise<ReturnType<typeof Object>> {
  const { status, body } = await browser.ask('GET', path);
  expect(status).toBe(200);
  return Object(body);
}

const today = () => new Date().toISOString().slice(0, 10);

describe('the balance', () => {
  it('shows spendable credits, their expiry and open batches', async () => {
    const { browser } = await newHolder();
    const { credits, expiresAt, held } = await read(browser, 'balance');
    expect([credits, held]).toEqual([100, { batches: 0, credits: 0 }]);
    const inMonths = (Date.parse(expiresAt) - Date.now()) / (30 * 86_400_000);
    expect(Math.round(inMonths)).toBe(12);
  });
});

describe('the statement', () => {
  it('explains each row of a batch by its addresses, its hold and its refund', async () => {
    const { browser, account, key } = await newHolder();
    await edge.verify(key, ['ann@good.test', 'ann@good.test', 'bob@blocked.test', 'no address']);
    await edge.settled(account);
    const { rows, next } = await read(browser, 'statement');
    const batch = { addresses: 2, held: 2, returned: 1, state: 'settled', list: null };
    expect(next).toBeNull();
    expect(rows).toEqual([
      { at: expect.any(String), kind: 'return', ref: expect.any(String), delta: 1, balance: 99, batch },
      { at: expect.any(String), kind: 'hold', ref: rows[0].ref, delta: -2, balance: 98, batch },
      { at: expect.any(String), kind: 'gift', ref: 'welcome', delta: 100, balance: 100, batch: null },
    ]);
  });

  it('groups requests of one list by their keys, and stores nothing of a key', async () => {
    const { browser, account, key } = await newHolder();
    for (const name of ['spring-list/1', 'spring-list/2', 'autumn-list/1'])
      await edge.verify(key, ['ann@good.test'], { 'idempotency-key': name });
    await edge.settled(account);
    const { rows } = await read(browser, 'statement');
    const [autumn, two, one] = rows.map(({ batch }: { batch: { list: string } | null }) => batch?.list);
    expect([one, typeof one]).toEqual([two, 'string']);
    expect(autumn).not.toBe(one);
    const { results } = await (await edge.db()).prepare('SELECT * FROM holds WHERE account_id = ?').bind(account).all();
    expect(JSON.stringify(results)).not.toMatch(/spring|autumn/);
  });

  it('continues where a page ended, and rejects places that it did not issue', async () => {
    const { browser, account, key } = await newHolder();
    for (let i = 0; i < 3; i += 1) await edge.verify(key, ['ann@good.test']);
    await edge.settled(account);
    const seen = [];
    let before = '';
    do {
      const { rows, next } = await read(browser, `statement?limit=1${before}`);
      expect(rows).toHaveLength(1);
      seen.push(...rows);
      before = next === null ? '' : `&before=${encodeURIComponent(next)}`;
    } while (before !== '');
    expect(seen.map(({ balance }) => balance)).toEqual([97, 98, 99, 100]);
    for (const query of ['before=x', 'limit=0', 'limit=501', 'limit=x', 'other=1'])
      expect((await browser.ask('GET', `statement?${query}`)).status).toBe(400);
  });

  it('shows no rows of another account, for any place of it', async () => {
    const [one, other] = [await newHolder(), await newHolder()];
    await edge.verify(one.key, ['ann@good.test']);
    await edge.settled(one.account);
    const { next } = await read(one.browser, 'statement?limit=1');
    const { status } = await other.browser.ask('GET', `statement?before=${encodeURIComponent(next)}`);
    expect(status).toBe(409);
  });
});

describe('usage', () => {
  it('is counted by day, key and status as results are delivered, with their cost', async () => {
    const { browser, account, key, keyId } = await newHolder();
    const page = Object((await browser.ask('POST', 'page-key', {})).body).key;
    await edge.verify(key, ['ann@good.test', 'bob@blocked.test', 'no address', 7]);
    await (await edge.verify(key, ['cid@good.test'], { accept: 'application/x-ndjson' })).text();
    await edge.verify(page, ['ann@good.test']);
    await edge.settled(account);
    const { rows, labels } = await read(browser, 'usage');
    expect(labels).toEqual({ [keyId]: 'CRM' });
    const one = { day: today(), risky: 0, invalid: 0, unknown: 0 };
    expect(rows.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))).toEqual([
      { ...one, key: keyId, batches: 2, valid: 2, invalid: 1, unknown: 1, charged: 2, returned: 1 },
      { ...one, key: 'page', batches: 1, valid: 1, charged: 1, returned: 0 },
    ]);
  });

  it('contains only counts and our own names', async () => {
    const { account, key } = await newHolder();
    await edge.verify(key, ['somebody-secret@good.test']);
    await edge.settled(account);
    const { results } = await (
      await edge.db()
    )
      .prepare('SELECT * FROM usage_days WHERE account_id = ?')
      .bind(account)
      .all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toMatch(/secret|good\.test/);
  });
});
