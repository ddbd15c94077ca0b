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
    'is added, signs its person in without an address, and is listed (counter from %i)',
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

  it('is announced to its person by mail, without its name', async () => {
    const email = newAddress();
    const browser = await signedIn(email);
    const before = edge.mails.length;
    expect((await register(browser, newAuthenticator())).status).toBe(201);
    await expect.poll(() => edge.mails.slice(before).map(({ to }) => to)).toEqual([email]);
    expect(edge.mails.at(-1)?.subject).toMatch(/^A passkey was added/);
    expect(edge.mails.at(-1)?.text).not.toContain('Laptop');
  });

  it('cannot be added more than ten minutes after signing in', async () => {
    const browser = await signedIn();
    const kept = await challenge(browser, 'passkeys/challenge');
    await (await edge.db()).prepare('UPDATE sessions SET created_at = created_at - 600001').run();
    const { status, body } = await browser.ask('POST', 'passkeys/challenge', {});
    expect([status, body]).toMatchObject([403, { error: expect.stringMatching(/^Sign in again/) }]);
    // A ceremony begun in time may be completed: the challenge is good for five minutes, and for this person alone.
    const registration = newAuthenticator().register(kept);
    expect((await browser.ask('POST', 'passkeys', { label: 'Late', registration })).status).toBe(201);
  });

  it('stops working once removed, and only its person can remove it', async () => {
    const [browser, stranger] = [await signedIn(), await signedIn()];
    const authenticator = newAuthenticator();
    await register(browser, authenticator);
    expect((await stranger.ask('DELETE', `passkeys/${authenticator.id}`, {})).status).toBe(404);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(200);
    expect((await browser.ask('DELETE', `passkeys/${authenticator.id}`, {})).status).toBe(200);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(401);
  });

  it('cannot be taken over by someone who adds it as theirs', async () => {
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

describe('a rejected ceremony', () => {
  it.each<[string, Change]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['of another ceremony', { type: 'webauthn.other' }],
    ['for a challenge that was never issued', { challenge: 'B'.repeat(44) }],
    ['without the user being verified', { flags: PRESENT }],
  ])('is a passkey %s', async (_what, change) => {
    const browser = await signedIn();
    const authenticator = newAuthenticator();
    expect((await register(browser, authenticator, change)).status).toBe(400);
    expect((await register(browser, authenticator)).status).toBe(201);
    expect((await enter(new Browser(edge), authenticator, change)).status).toBe(401);
    expect((await enter(new Browser(edge), authenticator, { flags: VERIFIED })).status).toBe(401);
  });

  it('is an answer that is replayed, late, or made for another challenge', async () => {
    const [browser, stranger] = [await signedIn(), await signedIn()];
    // It keeps no counter, which would reveal a replay by itself.
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

  it('comes from a copied authenticator, whose counter is behind', async () => {
    const browser = await signedIn();
    const authenticator = newAuthenticator(7);
    await register(browser, authenticator);
    expect((await enter(new Browser(edge), authenticator)).status).toBe(200);
    authenticator.counter -= 1;
    expect((await enter(new Browser(edge), authenticator)).status).toBe(401);
  });

  it('is malformed, with the same words for known and unknown passkeys', async () => {
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
