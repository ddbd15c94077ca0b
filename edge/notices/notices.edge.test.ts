import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { rowsOf } from '../local/database.ts';
import { startEdge, type Edge } from '../testing/edge.ts';
import { grant } from '../ledger/grant.ts';
import { sendNotices } from './notices.ts';

const DAY_MS = 86_400_000;

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '100', PUBLIC_URL: 'https://verify.test' });
});
afterAll(() => edge.stop());

let people = 0;
async function newOwner(): Promise<{ browser: Browser; email: string; account: string }> {
  const email = `owner-${(people += 1)}@people.test`;
  const browser = new Browser(edge);
  await browser.signIn(email);
  const { account } = Object((await browser.ask('GET', 'me')).body);
  return { browser, email, account: account.id };
}

/** What one run of the cron mails to this address. */
async function turn(email: string): Promise<readonly string[]> {
  const before = edge.mails.length;
  await (await edge.mf.getWorker('edge')).scheduled();
  return edge.mails.slice(before).flatMap(({ to, subject }) => (to === email ? [subject] : []));
}

async function set(account: string, column: 'balance' | 'expires_at', value: number): Promise<void> {
  const db = await edge.db();
  const booked =
    column === 'balance' ? [db.prepare('UPDATE ledger SET delta = ?2 WHERE account_id = ?1').bind(account, value)] : [];
  await db.batch([...booked, db.prepare(`UPDATE accounts SET ${column} = ?2 WHERE id = ?1`).bind(account, value)]);
}

it('owners who chose a number are told once that the balance is low, and again after the next purchase', async () => {
  const { browser, email, account } = await newOwner();
  expect(await turn(email)).toEqual([]);
  await browser.ask('PUT', 'account', { lowBalanceAt: 200, name: 'Acme' });
  expect(await turn(email)).toEqual(['100 credits left in “Acme”']);
  expect(await turn(email)).toEqual([]);
  const mail = edge.mails.findLast(({ to }) => to === email);
  expect(mail?.text).toMatch(/https:\/\/verify\.test\/buy\n[^]*https:\/\/verify\.test\/settings\n/);
  await set(account, 'expires_at', Date.now() + 365 * DAY_MS);
  expect(await turn(email)).toEqual(['100 credits left in “Acme”']);
});

it('owners are told once when a tenth of their last purchase is left, unless they chose 0', async () => {
  const world = await Promise.all([newOwner(), newOwner(), newOwner()]);
  const [told, silent, never] = world;
  const db = await edge.db();
  for (const { account } of [told, silent])
    for (const [n, credits] of [90_000, 5_000].entries())
      await grant(db, { accountId: account, purchaseId: `p-${account}-${n}`, credits, nowMs: Date.now() });
  await silent.browser.ask('PUT', 'account', { lowBalanceAt: 0 });
  const turns = async (balance: number) => {
    for (const { account } of world) await set(account, 'balance', balance);
    return { told: await turn(told.email), silent: await turn(silent.email), never: await turn(never.email) };
  };
  expect(await turns(500)).toEqual({ told: [], silent: [], never: [] });
  expect(await turns(499)).toEqual({ told: ['499 credits left in “My account”'], silent: [], never: [] });
  expect(await turns(3)).toEqual({ told: [], silent: [], never: [] });
  await grant(db, { accountId: told.account, purchaseId: 'next', credits: 30, nowMs: Date.now() + 1_000 });
  await set(told.account, 'balance', 2);
  expect(await turn(told.email)).toEqual(['2 credits left in “My account”']);
  await silent.browser.ask('PUT', 'account', { lowBalanceAt: null });
  expect(await turn(silent.email)).toEqual(['3 credits left in “My account”']);
});

it('credits held by open batches do not count as spent', async () => {
  const { browser, email, account } = await newOwner();
  await browser.ask('PUT', 'account', { lowBalanceAt: 50 });
  await set(account, 'balance', 20);
  const db = await edge.db();
  await db
    .prepare(
      "INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at) VALUES ('open', ?1, 80, 80, ?2, ?2 + 600000)",
    )
    .bind(account, Date.now())
    .run();
  expect(await turn(email)).toEqual([]);
  await db.prepare("UPDATE holds SET closed_by = 'settle', closed_at = 1, returned = 0 WHERE id = 'open'").run();
  expect(await turn(email)).toEqual(['20 credits left in “My account”']);
});

it('owners are told once 30 and once 7 days before credits expire, and not about an empty balance', async () => {
  const { email, account } = await newOwner();
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.now() + 29 * DAY_MS);
  await set(account, 'expires_at', Date.now() + 31 * DAY_MS);
  expect(await turn(email)).toEqual([]);
  await set(account, 'expires_at', Date.now() + 29 * DAY_MS);
  expect(await turn(email)).toEqual([`100 credits in “My account” will expire on ${day}`]);
  expect(await turn(email)).toEqual([]);
  await set(account, 'expires_at', Date.now() + 6 * DAY_MS);
  expect(await turn(email)).toHaveLength(1);
  expect(await turn(email)).toEqual([]);
  await set(account, 'expires_at', Date.now() - 1);
  expect(await turn(email)).toEqual([]);
  const other = await newOwner();
  await set(other.account, 'expires_at', Date.now() + DAY_MS);
  await (
    await edge.db()
  ).batch([
    (await edge.db()).prepare('DELETE FROM ledger WHERE account_id = ?').bind(other.account),
    (await edge.db()).prepare('UPDATE accounts SET balance = 0 WHERE id = ?').bind(other.account),
  ]);
  expect(await turn(other.email)).toEqual([]);
});

it('two concurrent runs send one mail', async () => {
  const { browser, email } = await newOwner();
  await browser.ask('PUT', 'account', { lowBalanceAt: 200 });
  const before = edge.mails.length;
  const worker = await edge.mf.getWorker('edge');
  await Promise.all([worker.scheduled(), worker.scheduled()]);
  expect(edge.mails.slice(before).filter(({ to }) => to === email)).toHaveLength(1);
});

it('a notice whose Worker died before sending is sent ten minutes later, and not before', async () => {
  const { browser, email, account } = await newOwner();
  const db = await edge.db();
  const { expires_at: expiresAt } = Object(
    await db.prepare('SELECT expires_at FROM accounts WHERE id = ?').bind(account).first(),
  );
  const claim =
    "INSERT INTO notices (account_id, kind, expires_at, sent_at, claimed_at) VALUES (?, 'low_balance', ?, 0, ?)";
  await db.prepare(claim).bind(account, expiresAt, Date.now()).run();
  await browser.ask('PUT', 'account', { lowBalanceAt: 200 });
  expect(await turn(email)).toEqual([]);
  await db.prepare('UPDATE notices SET claimed_at = claimed_at - 601000 WHERE account_id = ?').bind(account).run();
  expect(await turn(email)).toEqual(['100 credits left in “My account”']);
  expect(await turn(email)).toEqual([]);
});

it('a run reads at most 20,000 rows however many accounts there are, and each is told in its turn', async () => {
  const db = await edge.db();
  const { browser, email } = await newOwner();
  await browser.ask('PUT', 'account', { lowBalanceAt: 200 });
  await db
    .prepare(`
      INSERT INTO accounts (id, name, created_at, balance, expires_at, low_balance_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT printf('-%05d', i), '', 0, 1, unixepoch() * 1000 + i * ${DAY_MS / 500}, i % 3 FROM n`)
    .run();
  const told: string[] = [];
  const mailer = { send: async ({ to }: { readonly to: string }) => void told.push(to) };
  for (let run = 0; run < 11; run += 1) {
    const { read } = await rowsOf(db, () => sendNotices(db, db, mailer, 'https://verify.test'));
    expect(read).toBeLessThanOrEqual(20_000);
  }
  expect(told).toEqual([email]);
});
