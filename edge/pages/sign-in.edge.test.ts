import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, type PagesAnswer } from '../testing/browser.ts';
import { startEdge, withVars, type Edge } from '../testing/edge.ts';
import { PAGES_ROOT, ROUTES } from './routes.ts';

let edge: Edge;
beforeAll(async () => {
  // Local workerd reports the same autonomous system for every caller.
  edge = await startEdge({ WELCOME_CREDITS: '25', MAILS_PER_DAY: '4000' });
});
afterAll(() => edge.stop());

let people = 0;
const newAddress = (): string => `person-${(people += 1)}@people.test`;

async function signedIn(email = newAddress()): Promise<Browser> {
  const browser = new Browser(edge);
  await browser.signIn(email);
  return browser;
}

async function count(table: string, where: string, ...values: string[]): Promise<number> {
  const db = await edge.db();
  const found = await db
    .prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
    .bind(...values)
    .first<number>('n');
  return found ?? 0;
}

/** Asks again, ten times at once and at most this often, until one is rate-limited. */
async function untilRefused(ask: () => Promise<PagesAnswer>, times: number): Promise<PagesAnswer> {
  for (let asked = 0; asked < times; asked += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const refused = answers.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
  throw new Error(`not refused in ${times} times`);
}

/** Tries an invalid link: 410, unless it is one try too many. */
const tries = (network: string) => new Browser(edge, network).ask('POST', 'sign-in/look', { token: 'x'.repeat(43) });

describe('a mailed link', () => {
  it('signs in the owner of the mailbox, with an account and its welcome credits', async () => {
    const browser = await signedIn('first@people.test');
    const { status, body } = await browser.ask('GET', 'me');
    expect([status, body]).toMatchObject([
      200,
      { signedIn: true, person: { email: 'first@people.test' }, account: { name: 'My account', role: 'owner' } },
    ]);
    const db = await edge.db();
    const { results } = await db
      .prepare(
        `SELECT l.ref_id AS ref, l.delta, a.balance, a.has_bought FROM people p JOIN memberships m ON m.person_id = p.id
           JOIN accounts a ON a.id = m.account_id JOIN ledger l ON l.account_id = a.id WHERE p.email = ?`,
      )
      .bind('first@people.test')
      .all();
    expect(results).toEqual([{ ref: 'welcome', delta: 25, balance: 25, has_bought: 0 }]);
  });

  it('gives no welcome credits again to a deleted person who returns, even with a tag', async () => {
    const credits: unknown[] = [];
    for (const email of ['again@people.test', 'again@people.test', 'again+1@people.test']) {
      const browser = await signedIn(email);
      credits.push(Object((await browser.ask('GET', 'balance')).body).credits);
      expect((await browser.ask('DELETE', 'me', { email })).status).toBe(200);
    }
    expect(credits).toEqual([25, 0, 0]);
  });

  it('leads to the same account the next time, without new credits', async () => {
    const email = newAddress();
    const [first, second] = [await signedIn(email), await signedIn(email)];
    const [one, other] = [await first.ask('GET', 'me'), await second.ask('GET', 'me')];
    const { account } = Object(one.body);
    expect(other.body).toMatchObject({ account });
    expect(await count('ledger', 'account_id = ?', account.id)).toBe(1);
  });

  it('opens one account if two links are used at once', async () => {
    const email = newAddress();
    const [one, other] = [new Browser(edge), new Browser(edge)];
    const tokens = [await one.mailedToken(email), await other.mailedToken(email)];
    const entered = await Promise.all(
      [one, other].map((browser, i) => browser.ask('POST', 'sign-in/confirm', { token: tokens[i] })),
    );
    expect(entered.map(({ status }) => status)).toEqual([200, 200]);
    expect(await count('memberships m JOIN people p ON p.id = m.person_id', 'p.email = ?', email)).toBe(1);
  });

  it('can be previewed without being used', async () => {
    const browser = new Browser(edge);
    const email = newAddress();
    const token = await browser.mailedToken(email);
    const looked = [
      await browser.ask('POST', 'sign-in/look', { token }),
      await browser.ask('POST', 'sign-in/look', { token }),
    ];
    for (const { status, body } of looked)
      expect([status, body]).toEqual([200, { kind: 'sign_in', email, account: null, noGift: null }]);
    expect((await browser.ask('POST', 'sign-in/confirm', { token })).status).toBe(200);
    expect((await browser.ask('POST', 'sign-in/look', { token })).status).toBe(410);
  });

  it('works once, even if it is used several times at the same moment', async () => {
    const browsers = [new Browser(edge), new Browser(edge), new Browser(edge)];
    const token = (await browsers[0]?.mailedToken(newAddress())) ?? '';
    const used = await Promise.all(browsers.map((browser) => browser.ask('POST', 'sign-in/confirm', { token })));
    expect(used.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(used.filter(({ status }) => status === 410)).toHaveLength(2);
  });

  it('expires after 15 minutes', async () => {
    const browser = new Browser(edge);
    const email = newAddress();
    const token = await browser.mailedToken(email);
    const db = await edge.db();
    const lasts = await db
      .prepare('SELECT expires_at - created_at AS lasts FROM mailed_links WHERE email = ?')
      .bind(email)
      .first('lasts');
    expect(lasts).toBe(15 * 60_000);
    await db.prepare('UPDATE mailed_links SET expires_at = expires_at - 900001 WHERE email = ?').bind(email).run();
    expect((await browser.ask('POST', 'sign-in/look', { token })).status).toBe(410);
    expect((await browser.ask('POST', 'sign-in/confirm', { token })).status).toBe(410);
    expect(browser.cookie).toBeNull();
  });

  it('is stored only as a hash, and so is the session', async () => {
    const browser = new Browser(edge);
    const token = await browser.mailedToken(newAddress());
    expect(await count('mailed_links', 'hash = ?', token)).toBe(0);
    await browser.ask('POST', 'sign-in/confirm', { token });
    const session = browser.cookie?.split('=')[1] ?? '';
    expect(session).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(await count('sessions', 'hash = ?1 OR id = ?1', session)).toBe(0);
  });
});

/** Opens an account under other limits of the welcome. @returns what is said of its gift at each step */
async function cameBy(email: string, headers: Readonly<Record<string, string>>) {
  const browser = new Browser(edge);
  const before = edge.mails.length;
  const asked = Object((await browser.ask('POST', 'sign-in', { email }, headers)).body).noGift;
  const token = await browser.nextToken(email, before);
  const looked = Object((await browser.ask('POST', 'sign-in/look', { token }, headers)).body).noGift;
  await browser.ask('POST', 'sign-in/confirm', { token }, headers);
  const { credits, noGift } = Object((await browser.ask('GET', 'balance', undefined, headers)).body);
  return { asked, looked, after: noGift, credits };
}

const refused = (asked: string | null, after: string) => ({ asked, looked: after, after, credits: 0 });
const vars = (more: Record<string, string>) => withVars({ WELCOME_PER_DOMAIN: '0', WELCOME_PER_DAY: '0', ...more });

describe('an account without welcome credits', () => {
  it('says why before and after, and before the mailbox is proven nothing about who has been here', async () => {
    await signedIn('had@people.test');
    await Promise.all([signedIn('one@full.test'), signedIn('two@full.test')]);
    const all = {
      'x@mailinator.com': await cameBy('x@mailinator.com', vars({})),
      'x@a.duck.com': await cameBy('x@a.duck.com', vars({})),
      'had+tag@people.test': await cameBy('had+tag@people.test', vars({})),
      'three@full.test': await cameBy('three@full.test', vars({ WELCOME_PER_DOMAIN: '2' })),
      'late@people.test': await cameBy('late@people.test', vars({ WELCOME_PER_DAY: '1' })),
    };
    expect(all).toEqual({
      'x@mailinator.com': refused('throwaway', 'throwaway'),
      'x@a.duck.com': refused('throwaway', 'throwaway'),
      'had+tag@people.test': refused(null, 'had'),
      'three@full.test': refused(null, 'domain_full'),
      'late@people.test': refused('day_full', 'day_full'),
    });
  });

  it('is not what others see: those who got them, known people, and services without', async () => {
    const got = { asked: null, looked: null, after: null };
    expect(await cameBy(newAddress(), vars({}))).toEqual({ ...got, credits: 25 });
    expect(await cameBy('had@people.test', vars({}))).toEqual({ ...got, credits: 25 });
    expect(await cameBy('y@mailinator.com', vars({ WELCOME_CREDITS: '0' }))).toEqual({ ...got, credits: 0 });
  });
});

describe('a request for a link', () => {
  it('does not reveal whether the address is known: same status, same body, same work', async () => {
    const known = newAddress();
    await signedIn(known);
    await edge.quiet();
    const answers = [];
    for (const email of [known, newAddress()]) {
      const browser = new Browser(edge);
      const before = edge.mails.length;
      const { status, body } = await browser.ask('POST', 'sign-in', { email });
      await browser.nextToken(email, before);
      const links = await count('mailed_links', 'email = ?', email);
      const [mail] = edge.mails.slice(-1);
      answers.push({ status, body, links, subject: mail?.subject, text: mail?.text.replace(/token=\w+/, 'token=') });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 202, body: { noGift: null }, links: 1 });
  });

  it.each([
    ['ann@gmial.com', 'ann@gmail.com'],
    ['jörg@hotmal.com', 'jörg@hotmail.com'],
    ['ann@yahoo', 'ann@yahoo.com'],
    ['ann@shop.con', 'ann@shop.com'],
    ['ann+x@gmail.co', 'ann+x@gmail.com'],
    ['ann@outlok.com', 'ann@outlook.com'],
  ])('by %s is asked about %s, and mails only what is meant', async (email, didYouMean) => {
    const browser = new Browser(edge);
    const { status, body } = await browser.ask('POST', 'sign-in', { email });
    expect([status, body]).toEqual([200, { didYouMean }]);
    expect(await count('mailed_links', 'email = ?', email)).toBe(0);
    if (email.endsWith('@yahoo')) return;
    expect((await browser.ask('POST', 'sign-in', { email, asTyped: true })).status).toBe(202);
    await expect.poll(() => count('mailed_links', 'email = ?', email)).toBe(1);
  });

  it.each([
    ['/lists', '&back=%2Flists'],
    ['/lists/3f0c9f5e-7d5b-4a53-9f5e-0a1b2c3d4e5f', '&back=%2Flists%2F3f0c9f5e-7d5b-4a53-9f5e-0a1b2c3d4e5f'],
    ['/lists/you-won-a-prize', ''],
    ['//evil.example', ''],
    ['/verify&token=x', ''],
    ['/verify\nhttps://evil.example', ''],
  ])('from %j has a link that leads back there, and nowhere else', async (back, inMail) => {
    const browser = new Browser(edge);
    const [email, before] = [newAddress(), edge.mails.length];
    expect((await browser.ask('POST', 'sign-in', { email, back })).status).toBe(202);
    await browser.nextToken(email, before);
    const text = edge.mails.slice(before).find(({ to }) => to === email)?.text;
    expect(/#token=\w+(\S*)\n\nIt works/.exec(text ?? '')?.[1]).toBe(inMail);
    expect(text).not.toContain('evil');
  });

  it('is refused for an address that no mail can reach', async () => {
    const browser = new Browser(edge);
    for (const email of ['ann@shop.invalid', 'ann@intranet', 'ann@example.com', 'ann@', 'ann@[192.0.2.1]']) {
      const asked = await browser.ask(
        'POST',
        'sign-in',
        { email, asTyped: true },
        withVars({ SIGN_IN_FROM: 'sign-in@verify.shop' }),
      );
      expect([email, asked.status]).toEqual([email, 400]);
    }
    expect(await count('mailed_links', "email LIKE 'ann@%.invalid'")).toBe(0);
  });

  it('sends at most three unused links to a mailbox, with the same answer', async () => {
    const email = newAddress();
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await new Browser(edge).ask('POST', 'sign-in', { email })).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202]);
    await expect.poll(() => count('mailed_links', 'email = ?', email)).toBe(3);
    await expect.poll(() => edge.mails.filter(({ to }) => to === email).length).toBe(3);
  });

  it('is refused after thirty a minute from one network, for any addresses', async () => {
    const browser = new Browser(edge, '192.0.2.77');
    const last = await untilRefused(() => browser.ask('POST', 'sign-in', { email: newAddress() }), 30 + 1);
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await new Browser(edge).ask('POST', 'sign-in', { email: newAddress() })).status).toBe(202);
  });

  it('is also limited by /56, without affecting its neighbours', async () => {
    let n = 0x10;
    const in56 = () => tries(`2001:db8:1:1${(n += 1).toString(16)}::1`);
    expect((await untilRefused(in56, 30 + 1)).status).toBe(429);
    expect((await tries('2001:db8:1:2ff::1')).status).toBe(410);
  });

  it('still mails members when strangers have used up their share', async () => {
    const member = newAddress();
    await signedIn(member);
    const db = await edge.db();
    const put =
      "INSERT INTO mails (at, pool, mailbox, share) VALUES (unixepoch() * 1000, 'links for strangers', '', ?)";
    await db.batch(Array.from({ length: 300 }, (_, n) => db.prepare(put).bind(String(n))));
    const had = await db
      .prepare("SELECT count(*) AS n FROM mails WHERE pool <> 'links for members'")
      .first<number>('n');
    const few = withVars({ MAILS_PER_DAY: String(2 * (had ?? 0)) });
    const before = edge.mails.length;
    for (const email of [newAddress(), member]) {
      const { status, body } = await new Browser(edge).ask('POST', 'sign-in', { email }, few);
      // Both get the same answer, so it says nothing about either.
      expect([status, body]).toEqual([202, { membersOnly: true, noGift: null }]);
    }
    await expect.poll(() => edge.mails.slice(before).map(({ to }) => to)).toEqual([member]);
    await expect.poll(() => edge.logs.some((line) => line.includes('stranger_mails_full'))).toBe(true);
    await db.prepare("DELETE FROM mails WHERE mailbox = ''").run();
  });

  it.each(['no address', 'a@[192.0.2.1]', '"a sentence"@people.test', '', 'a@b@c', 7, null])(
    'is rejected without a valid address: %j',
    async (email) => {
      const { status, body } = await new Browser(edge).ask('POST', 'sign-in', { email });
      expect([status, body]).toMatchObject([400, { code: 'INVALID_INPUT' }]);
    },
  );

  it('gets 503 if the deployment sends no mail', async () => {
    const { status } = await new Browser(edge).ask(
      'POST',
      'sign-in',
      { email: newAddress() },
      withVars({ SIGN_IN_FROM: '' }),
    );
    expect(status).toBe(503);
  });
});

describe('a session', () => {
  it('is a cookie of this host alone that no script can read', async () => {
    const browser = new Browser(edge);
    const token = await browser.mailedToken(newAddress());
    const { headers } = await browser.ask('POST', 'sign-in/confirm', { token });
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-rcpt=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('is replaced at each sign-in, so that no one can plant one', async () => {
    const attacker = await signedIn();
    const planted = attacker.cookie;
    const victim = new Browser(edge);
    victim.cookie = planted;
    await victim.signIn(newAddress());
    expect(victim.cookie).not.toBe(planted);
    expect((await attacker.ask('GET', 'me')).body).toMatchObject({ signedIn: false });
    expect((await attacker.ask('GET', 'sessions')).status).toBe(401);
  });

  it('can be seen and ended only by its own person', async () => {
    const email = newAddress();
    const [laptop, phone, stranger] = [await signedIn(email), await signedIn(email), await signedIn()];
    const { body } = await laptop.ask('GET', 'sessions');
    const { sessions } = Object(body);
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(expect.objectContaining({ current: true, by: 'link', device: 'Firefox on Linux' }));
    const other = sessions.find((session: { current: boolean }) => !session.current).id;
    expect((await stranger.ask('DELETE', `sessions/${other}`, {})).status).toBe(404);
    expect((await phone.ask('GET', 'sessions')).status).toBe(200);
    expect((await laptop.ask('DELETE', `sessions/${other}`, {})).status).toBe(200);
    expect((await phone.ask('GET', 'sessions')).status).toBe(401);
  });

  it('ends by signing out, and after 30 days', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const cookie = one.cookie;
    expect((await one.ask('POST', 'sign-out', {})).status).toBe(200);
    expect(one.cookie).toBeNull();
    one.cookie = cookie;
    expect((await one.ask('GET', 'sessions')).status).toBe(401);
    const { id } = Object((await other.ask('GET', 'sessions')).body).sessions[0];
    const db = await edge.db();
    await db.prepare('UPDATE sessions SET expires_at = expires_at - 2592000000 WHERE id = ?').bind(id).run();
    expect((await other.ask('GET', 'sessions')).status).toBe(401);
  });
});

describe('a flood', () => {
  it('from one network is refused before any lookup, and other networks are not', async () => {
    const browser = new Browser(edge, '192.0.2.78');
    browser.cookie = `__Host-rcpt=${'a'.repeat(43)}`;
    const last = await untilRefused(() => browser.ask('GET', 'me'), 600 + 1);
    expect(last.status).toBe(429);
    expect((await new Browser(edge).ask('GET', 'me')).status).toBe(200);
  });
});

describe('another site', () => {
  it.each<[string, Record<string, string | null>]>([
    ['from a frame without an origin', { origin: 'null' }],
    ['on another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
  ])('%s changes nothing with our cookie', async (_what, headers) => {
    const browser = await signedIn();
    expect((await browser.ask('POST', 'sign-out', {}, headers)).status).toBe(403);
    expect((await browser.ask('GET', 'sessions')).status).toBe(200);
  });

  it('reads nothing either, if the browser sends Sec-Fetch-Site', async () => {
    const browser = await signedIn();
    expect((await browser.ask('GET', 'me', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('cannot use any changing route, with its own origin, without one, or with a form', async () => {
    const browser = await signedIn();
    const changing = ROUTES.filter(({ methods }) => !methods.includes('GET'));
    expect(changing.length).toBeGreaterThan(15);
    for (const { methods, path } of changing) {
      const [method = ''] = methods;
      const ask = (headers: Record<string, string | null>) =>
        browser.ask(method, path.slice(`${PAGES_ROOT}/`.length), '{}', headers);
      const foreign = [{ origin: 'https://evil.example' }, { origin: null }, { 'sec-fetch-site': 'cross-site' }];
      for (const headers of foreign) expect((await ask(headers)).status, `${method} ${path}`).toBe(403);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        expect(await ask({ 'content-type': type }), `${method} ${path} ${type}`).toMatchObject({
          status: 400,
          body: { error: expect.stringContaining('must be JSON') },
        });
    }
    expect((await browser.ask('GET', 'sessions')).status).toBe(200);
  });

  it('cannot send a form instead of JSON', async () => {
    const browser = await signedIn();
    const headers = { 'content-type': 'text/plain' };
    expect((await browser.ask('POST', 'sign-out', '{}', headers)).status).toBe(400);
  });
});
