import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

// Siteverify as Turnstile's documentation describes it: a solved challenge is good once.
// https://developers.cloudflare.com/turnstile/get-started/server-side-validation/

const SECRET = 'the secret of the widget';

let edge: Edge;
let siteverify: Server;
const asked: unknown[] = [];
const spent = new Set<string>();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await text(request));
  asked.push(body);
  const { secret, response: solved } = Object(body);
  if (solved === 'never answered') return;
  if (solved === 'far too long') response.end(`{"success":true,"padding":"${'x'.repeat(100_000)}"}`);
  else if (solved === 'no JSON') response.end('<html>');
  else {
    const success = secret === SECRET && solved.startsWith('solved') && !spent.has(solved);
    spent.add(solved);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }));
  }
}

beforeAll(async () => {
  siteverify = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => siteverify.listen(0, '127.0.0.1', resolve));
  const address = siteverify.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  edge = await startEdge({
    STRANGER_MAILS_PER_HOUR: '40',
    TURNSTILE_SITE_KEY: 'site-key',
    TURNSTILE_SECRET: SECRET,
    TURNSTILE_URL: `http://127.0.0.1:${port}/siteverify`,
  });
});
afterAll(async () => {
  await edge.stop();
  siteverify.closeAllConnections();
  await new Promise((resolve) => siteverify.close(resolve));
});

let people = 0;
const newAddress = (): string => `asker-${(people += 1)}@people.test`;
const ask = (more: object = {}, headers = {}) =>
  new Browser(edge).ask('POST', 'sign-in', { email: newAddress(), ...more }, headers);
const answers = async (more: object = {}): Promise<unknown> => {
  const { status, body } = await ask(more);
  return [status, body];
};
const MAILED = [202, {}];
const CHALLENGED = [200, { challenge: 'site-key' }];

/** What strangers from everywhere had in the last hour. */
async function strangersHad(mails: number): Promise<void> {
  const db = await edge.db();
  await db.prepare("DELETE FROM mails WHERE share LIKE 'test-%'").run();
  const insert = db.prepare("INSERT INTO mails (at, pool, mailbox, share) VALUES (?, 'links for strangers', ?, ?)");
  if (mails > 0)
    await db.batch(Array.from({ length: mails }, (_, n) => insert.bind(Date.now(), `box-${n}`, `test-${n}`)));
}

const told = (): number => edge.logs.filter((line) => line.includes('challenge_unreachable')).length;

describe('a challenge', () => {
  it('is not asked for while strangers have more than half of their mails left', async () => {
    await strangersHad(0);
    expect(await answers()).toEqual(MAILED);
    expect(asked).toEqual([]);
  });

  it('comes before every link after that, for any address, and what it gave is good once', async () => {
    await strangersHad(20);
    const before = edge.mails.length;
    expect(await answers()).toEqual(CHALLENGED);
    expect(await answers({ solved: 'by a machine' })).toEqual(CHALLENGED);
    expect(await answers({ solved: 'solved 1' })).toEqual(MAILED);
    expect(await answers({ solved: 'solved 1' })).toEqual(CHALLENGED);
    await expect.poll(() => edge.mails.length - before).toBe(1);
    expect(asked.at(-1)).toEqual({ secret: SECRET, response: 'solved 1', remoteip: expect.stringMatching(/^10\./) });
  });

  it('comes for somebody who has an account too: nobody learns who has one', async () => {
    await strangersHad(0);
    const browser = new Browser(edge);
    const email = newAddress();
    await browser.signIn(email);
    await strangersHad(20);
    expect(await answers({ email })).toEqual(CHALLENGED);
    expect(await answers({ email, solved: 'solved 2' })).toEqual(MAILED);
  });

  it('that was solved gets a link though others of the autonomous system took its share', async () => {
    await strangersHad(0);
    const db = await edge.db();
    const arrived = edge.mails.length;
    expect(await answers()).toEqual(MAILED);
    await expect.poll(() => edge.mails.length - arrived).toBe(1);
    const share = await db.prepare('SELECT share FROM mails ORDER BY id DESC LIMIT 1').first<string>('share');
    const [system = ''] = (share ?? '').split('.');
    await db.prepare("DELETE FROM mails WHERE pool = 'links for strangers'").run();
    const insert = db.prepare("INSERT INTO mails (at, pool, mailbox, share) VALUES (?, 'links for strangers', ?, ?)");
    await db.batch(Array.from({ length: 25 }, (_, n) => insert.bind(Date.now(), `box-${n}`, `${system}.x.test-${n}`)));
    const before = edge.mails.length;
    expect(await answers({ solved: 'solved 4' })).toEqual(MAILED);
    await expect.poll(() => edge.mails.length - before).toBe(1);
    await db.prepare("DELETE FROM mails WHERE pool = 'links for strangers'").run();
  });

  it.each(['never answered', 'far too long', 'no JSON'])(
    'is not needed if siteverify’s answer is %s, and the operator is told',
    async (solved) => {
      await strangersHad(20);
      const before = told();
      expect(await answers({ solved })).toEqual(MAILED);
      expect(told()).toBe(before + 1);
    },
    20_000,
  );

  it('is no way past the total', async () => {
    await strangersHad(40);
    const before = edge.mails.length;
    expect(await answers({ solved: 'solved 3' })).toEqual([202, { membersOnly: true }]);
    await expect.poll(() => edge.logs.some((line) => line.includes('stranger_mails_full'))).toBe(true);
    expect(edge.mails.length).toBe(before);
  });
});
