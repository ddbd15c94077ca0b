import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, withVars, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '10' });
});
afterAll(() => edge.stop());

let people = 0;
async function signedIn(email = `holder-${(people += 1)}@people.test`): Promise<Browser> {
  const browser = new Browser(edge);
  await browser.signIn(email);
  return browser;
}

type MadeKey = { readonly id: string; readonly key: string };
async function makeKey(browser: Browser, kind: 'live' | 'test' = 'live'): Promise<MadeKey> {
  const { status, body } = await browser.ask('POST', 'keys', { kind, label: 'CRM' });
  expect(status).toBe(201);
  return Object(body);
}

async function pageKey(browser: Browser): Promise<string> {
  const { status, body } = await browser.ask('POST', 'page-key', {});
  expect(status).toBe(201);
  return Object(body).key;
}

const verify = (key: string, headers: Record<string, string> = {}) => edge.verify(key, ['ann@good.test'], headers);

describe('a key', () => {
  it('is shown once, works at once, and stops working once deleted', async () => {
    const browser = await signedIn();
    const { id, key } = await makeKey(browser);
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect((await verify(key)).status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await browser.ask('GET', 'keys');
    expect(body).toEqual({
      keys: [
        {
          id,
          kind: 'live',
          label: 'CRM',
          hint: key.slice(-4),
          createdAt: expect.any(String),
          lastUsed: today,
          madeBy: expect.stringMatching(/^holder-\d+@people\.test$/),
          mayDelete: true,
          caps: { dayCap: null, monthCap: null, spentToday: null, spentThisMonth: null },
        },
      ],
    });
    expect((await browser.ask('DELETE', `keys/${id}`, {})).status).toBe(200);
    expect((await verify(key)).status).toBe(401);
    expect((await browser.ask('DELETE', `keys/${id}`, {})).status).toBe(404);
  });

  it('of another account cannot be seen or deleted by its id', async () => {
    const [owner, stranger] = [await signedIn(), await signedIn()];
    const { id, key } = await makeKey(owner);
    expect((await stranger.ask('DELETE', `keys/${id}`, {})).status).toBe(404);
    expect((await stranger.ask('GET', 'keys')).body).toEqual({ keys: [] });
    expect((await verify(key)).status).toBe(200);
  });

  it('draws on the balance of its account', async () => {
    const browser = await signedIn();
    const { key } = await makeKey(browser);
    expect(await edge.credits(key)).toBe(10);
    await verify(key);
    expect(await edge.credits(key)).toBe(9);
  });

  it('is limited to 50 per account, even if many are made at once', async () => {
    const browser = await signedIn();
    const made = await Promise.all(
      Array.from({ length: 55 }, () => browser.ask('POST', 'keys', { kind: 'test', label: 'x' })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  it.each(['', ' ', 'two\nlines', 'a\u202eb', 'x'.repeat(65)])(
    'must have a label of one line: %j is rejected',
    async (label) => {
      expect((await (await signedIn()).ask('POST', 'keys', { kind: 'live', label })).status).toBe(400);
    },
  );
});

describe('a test key', () => {
  it('is answered from the sandbox, and nothing is probed, held or charged', async () => {
    const browser = await signedIn();
    const { key } = await makeKey(browser, 'test');
    expect(key).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    await edge.quiet();
    const before = await (await fetch(new URL('/testing/fleet', edge.url))).json();
    const emails = [
      'ok@deliverable.test',
      'nobody@deliverable.test',
      'anyone@blocked.test',
      'no address',
      7,
      'a@example.com',
    ];
    const answer = await edge.verify(key, emails);
    expect([answer.status, answer.headers.get('rcpt-charged'), answer.headers.get('rcpt-returned')]).toEqual([
      200,
      '0',
      '0',
    ]);
    expect(await answer.json()).toMatchObject([
      { email: 'ok@deliverable.test', status: 'valid', score: 95, smtp_code: 250, mx_records: ['mx.deliverable.test'] },
      { status: 'invalid', smtp_code: 550, smtp_enhanced_code: '5.1.1', role_based: true },
      { status: 'unknown', reason: 'policy_rejected' },
      { status: 'invalid', reason: 'invalid_syntax' },
      { email: 7, error: 'invalid' },
      { status: 'unknown', reason: 'mx_unresolved' },
    ]);
    expect(await (await fetch(new URL('/testing/fleet', edge.url))).json()).toEqual(before);
    expect(await edge.credits(key)).toBe(10);
    const { account } = Object((await browser.ask('GET', 'me')).body);
    expect((await edge.money(account.id)).rows).toEqual([['purchase', 10]]);
  });

  it('answers in lines like a live one', async () => {
    const { key } = await makeKey(await signedIn(), 'test');
    const answer = await edge.verify(key, ['ok@deliverable.test', 'x'], { accept: 'application/x-ndjson' });
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toEqual({ done: true, charged: 0, returned: 0 });
    expect(new Set(lines.slice(0, -1).map(({ index }) => index))).toEqual(new Set([0, 1]));
  });

  it('works without credits, with the same limits and errors, and stops working once deleted', async () => {
    const browser = await signedIn();
    const { account } = Object((await browser.ask('GET', 'me')).body);
    await (
      await edge.db()
    ).batch([
      (await edge.db()).prepare('UPDATE accounts SET balance = 0 WHERE id = ?').bind(account.id),
      (await edge.db()).prepare('DELETE FROM ledger WHERE account_id = ?').bind(account.id),
    ]);
    const { id, key } = await makeKey(browser, 'test');
    const first = await verify(key);
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '59']);
    expect((await edge.verify(key, [])).status).toBe(400);
    expect((await edge.verify(key, Array(501).fill('a@b.test'))).status).toBe(400);
    expect((await edge.verify(key, ['x'.repeat(60_000)])).status).toBe(413);
    expect((await verify(key, withVars({ RATE_LIMIT: '1' }))).status).toBe(429);
    await browser.ask('DELETE', `keys/${id}`, {});
    expect((await verify(key)).status).toBe(401);
  });
});

describe("a page's key", () => {
  it('verifies and reads the balance, and is not listed', async () => {
    const browser = await signedIn();
    const key = await pageKey(browser);
    expect((await verify(key)).status).toBe(200);
    expect(await edge.credits(key)).toBe(9);
    expect((await browser.ask('GET', 'keys')).body).toEqual({ keys: [] });
  });

  it('expires after 15 minutes', async () => {
    const key = await pageKey(await signedIn());
    const db = await edge.db();
    const lasts = await db
      .prepare("SELECT expires_at - created_at AS ms FROM api_keys WHERE kind = 'page' ORDER BY created_at DESC")
      .first('ms');
    expect(lasts).toBe(900_000);
    await db.prepare("UPDATE api_keys SET expires_at = expires_at - 900001 WHERE kind = 'page'").run();
    expect((await verify(key)).status).toBe(401);
    expect((await edge.verify(key, ['no address'])).status).toBe(401);
  });

  it('ends with its session, by sign-out, revocation, account switch or removal of its person', async () => {
    const email = `four-ways-${(people += 1)}@people.test`;
    const [one, other, third] = [await signedIn(email), await signedIn(email), await signedIn(email)];
    const owner = await signedIn();
    const before = edge.mails.length;
    await owner.ask('POST', 'invitations', { email, role: 'member' });
    const token = await owner.nextToken(email, before);
    const guest = new Browser(edge);
    await guest.join(token, email);
    const keys = [await pageKey(one), await pageKey(other), await pageKey(third), await pageKey(guest)];
    for (const key of keys) expect((await verify(key)).status).toBe(200);
    await one.ask('POST', 'sign-out', {});
    const { sessions } = Object((await other.ask('GET', 'sessions')).body);
    const { id } = sessions.find(({ current }: { readonly current: boolean }) => current);
    await third.ask('DELETE', `sessions/${id}`, {});
    const { accounts } = Object((await guest.ask('GET', 'me')).body);
    const theirs = Object((await owner.ask('GET', 'me')).body).account.id;
    await third.ask('PUT', 'me/account', { accountId: theirs });
    const { person } = Object((await guest.ask('GET', 'me')).body);
    expect(accounts).toHaveLength(2);
    await owner.ask('DELETE', `people/${person.id}`, {});
    for (const key of keys) expect((await verify(key)).status).toBe(401);
  });

  it('is limited to 20 per session', async () => {
    const browser = await signedIn();
    const statuses = [];
    for (let i = 0; i < 21; i += 1) statuses.push((await browser.ask('POST', 'page-key', {})).status);
    expect(statuses.slice(-2)).toEqual([201, 429]);
  });
});
