import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator, type Change } from '../testing/authenticator.ts';
import { Browser, type PagesAnswer } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

let people = 0;
const newAddress = (): string => `key-holder-${(people += 1)}@people.test`;
async function signedIn(email = newAddress()): Promise<Browser> {
  const browser = new Browser(edge);
  await browser.signIn(email);
  return browser;
}

async function challenge(browser: Browser, path: string): Promise<string> {
  const { status, body } = await browser.ask('POST', path, {});
  expect(status).toBe(200);
  return Object(body).challenge;
}

async function register(browser: Browser, authenticator: Authenticator, change: Change = {}): Promise<PagesAnswer> {
  const registration = authenticator.register(await challenge(browser, 'passkeys/challenge'), change);
  return browser.ask('POST', 'passkeys', { label: 'Laptop', registration });
}

async function enter(browser: Browser, authenticator: Authenticator, change: Change = {}): Promise<PagesAnswer> {
  const authentication = authenticator.authenticate(await challenge(browser, 'sign-in/passkey/challenge'), change);
  return browser.ask('POST', 'sign-in/passkey', { authentication });
}

const newAuthenticator = (counter?: number) => new Authenticator(edge.url.origin, counter);
const VERIFIED = 4;
const PRESENT = 1;

describe('a passkey', () => {
  it.each([0, 1])(
    'is added, signs in its person without an address, and is listed (counter from %i)',
    async (counter) => {
      const browser = await signedIn();
      const authenticator = newAuthenticator(counter);
      const { status, body } = await register(browser, authenticator);
      expect([status, body]).toEqual([
        201,
        { id: authenticator.id, label: 'Laptop', createdAt: expect.any(String), lastUsed: null },
      ]);
      const other = new Browser(edge);
      for (let i = 0; i < 2; i += 1) expect((await enter(other, authenticator)).status).toBe(200);
      const [mine, theirs] = [await browser.ask('GET', 'me'), await other.ask('GET', 'me')];
      expect(Object(theirs.body).person).toEqual(Object(mine.body).person);
      expect((await other.ask('GET', 'passkeys')).body).toMatchObject({ passkeys: [{ lastUsed: expect.any(String) }] });
      expect((await other.ask('GET', 'sessions')).body).toMatchObject({
        sessions: expect.arrayContaining([expect.objectContaining({ by: 'passkey' })]),
      });
    },
  );

  it('is told to its person by mail, without a word of its name', async () => {
    const email = newAddress();
    const browser = await signedIn(email);
    const before = edge.mails.length;
    expect((await register(browser, newAuthenticator())).status).toBe(201);
    await expect.poll(() => edge.mails.slice(before).map(({ to }) => to)).toEqual([email]);
    expect(edge.mails.at(-1)?.subject).toMatch(/^A passkey was added/);
    expect(edge.mails.at(-1)?.text).not.toContain('Laptop');
  });

  it('is added by nobody whose sign-in is more than ten minutes ago', async () => {
    const browser = await signedIn();
    const kept = await challenge(browser, 'passkeys/challenge');
    await (await edge.db()).prepare('UPDATE sessions SET created_at = created_at - 600001').run();
    const { status, body } = await browser.ask('POST', 'passkeys/challenge', {});
    expect([status, body]).toMatchObject([403, { error: expect.stringMatching(/^Sign in again/) }]);
    // Who has begun in time may end it: the challenge is good for five minutes, and for them alone.
    const registration = newAuthenticator().register(kept);
    expect((await browser.ask('POST', 'passkeys', { label: 'Late', registration })).status).toBe(201);
  });

  it('opens nothing once it is removed, and nobody else can remove it', async () => {
    const [browser, stranger] = [await signedIn(), await signedIn()];
    const authenticator = newAuthenticator();
    await register(browser, authenticator);
    expect((await stranger.ask('DELETE', `passkeys/${authenticator.id}`, {})).status).toBe(404);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(200);
    expect((await browser.ask('DELETE', `passkeys/${authenticator.id}`, {})).status).toBe(200);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(401);
  });

  it('is not taken over by somebody who adds it as theirs', async () => {
    const [owner, thief] = [await signedIn(), await signedIn()];
    const authenticator = newAuthenticator();
    await register(owner, authenticator);
    const copy = Object.assign(newAuthenticator(), { id: authenticator.id });
    expect((await register(thief, copy)).status).toBe(409);
    const browser = new Browser(edge);
    expect((await enter(browser, copy)).status).toBe(401);
    expect((await enter(browser, authenticator)).status).toBe(200);
    expect(Object((await browser.ask('GET', 'me')).body).person).toEqual(
      Object((await owner.ask('GET', 'me')).body).person,
    );
  });
});

describe('what is refused', () => {
  it.each<[string, Change]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['of another ceremony', { type: 'webauthn.other' }],
    ['for a challenge that nobody gave out', { challenge: 'B'.repeat(44) }],
    ['without the user being verified', { flags: PRESENT }],
  ])('a passkey %s', async (_what, change) => {
    const browser = await signedIn();
    const authenticator = newAuthenticator();
    expect((await register(browser, authenticator, change)).status).toBe(400);
    expect((await register(browser, authenticator)).status).toBe(201);
    expect((await enter(new Browser(edge), authenticator, change)).status).toBe(401);
    expect((await enter(new Browser(edge), authenticator, { flags: VERIFIED })).status).toBe(401);
  });

  it('an answer that is sent twice, late, or with the challenge of something or somebody else', async () => {
    const [browser, stranger] = [await signedIn(), await signedIn()];
    // It keeps no counter, which would give a repeat away by itself.
    const authenticator = newAuthenticator(0);
    await register(browser, authenticator);
    const visitor = new Browser(edge);
    const authentication = authenticator.authenticate(await challenge(visitor, 'sign-in/passkey/challenge'));
    expect((await visitor.ask('POST', 'sign-in/passkey', { authentication })).status).toBe(200);
    expect((await visitor.ask('POST', 'sign-in/passkey', { authentication })).status).toBe(401);
    const toAdd = authenticator.authenticate(await challenge(browser, 'passkeys/challenge'));
    expect((await visitor.ask('POST', 'sign-in/passkey', { authentication: toAdd })).status).toBe(401);
    const theirs = newAuthenticator().register(await challenge(stranger, 'passkeys/challenge'));
    expect((await browser.ask('POST', 'passkeys', { label: 'x', registration: theirs })).status).toBe(400);
    const late = authenticator.authenticate(await challenge(visitor, 'sign-in/passkey/challenge'));
    await (await edge.db()).prepare('UPDATE challenges SET expires_at = expires_at - 300001').run();
    expect((await visitor.ask('POST', 'sign-in/passkey', { authentication: late })).status).toBe(401);
  });

  it('a copy of an authenticator, whose counter is behind', async () => {
    const browser = await signedIn();
    const authenticator = newAuthenticator(7);
    await register(browser, authenticator);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(200);
    authenticator.counter -= 1;
    expect((await enter(new Browser(edge), authenticator)).status).toBe(401);
  });

  it('what has another form, in the same words for a passkey that is known and one that is not', async () => {
    const browser = await signedIn();
    const known = newAuthenticator();
    await register(browser, known);
    expect((await browser.ask('POST', 'passkeys', { label: 'x', registration: {} })).status).toBe(400);
    const ed25519 = Object(newAuthenticator().register(await challenge(browser, 'passkeys/challenge')));
    ed25519.response.publicKeyAlgorithm = -8;
    expect((await browser.ask('POST', 'passkeys', { label: 'x', registration: ed25519 })).status).toBe(400);
    const wrong = Object.assign(newAuthenticator(), { id: known.id });
    const answers = [await enter(new Browser(edge), wrong), await enter(new Browser(edge), newAuthenticator())];
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});
