import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentTo } from '../testing/sent-to.ts';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';
import { invite } from '../people/invitations.ts';
import { setRole, removeMember } from '../people/people.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

let people = 0;
const newAddress = (): string => `member-${(people += 1)}@people.test`;

async function signedIn(email = newAddress()): Promise<Browser> {
  const browser = new Browser(edge);
  await browser.signIn(email);
  return browser;
}

async function invited(owner: Browser, email: string, role: 'owner' | 'member'): Promise<string> {
  const before = edge.mails.length;
  const { status } = await owner.ask('POST', 'invitations', { email, role });
  expect(status).toBe(201);
  return owner.nextToken(email, before);
}

/** Someone new who belongs to the owner's account, and to no other. */
async function member(owner: Browser, role: 'owner' | 'member' = 'member'): Promise<Browser> {
  const browser = new Browser(edge);
  const email = newAddress();
  await browser.join(await invited(owner, email, role), email);
  return browser;
}

async function me(
  browser: Browser,
): Promise<{ id: string; email: string; account: string; role: string; accounts: number }> {
  const { person, account, accounts } = Object((await browser.ask('GET', 'me')).body);
  return { ...person, account: account.id, role: account.role, accounts: accounts.length };
}

async function newKey(browser: Browser) {
  return Object((await browser.ask('POST', 'keys', { kind: 'live', label: 'k' })).body);
}

describe('an invitation', () => {
  it('makes the owner of the mailbox a member, and gives a newcomer no account of their own', async () => {
    const owner = await signedIn();
    const joined = await member(owner);
    expect(await me(joined)).toMatchObject({ account: (await me(owner)).account, role: 'member', accounts: 1 });
    const { body } = await owner.ask('GET', 'people');
    expect(body).toMatchObject({ people: [{ role: 'owner' }, { role: 'member' }], invitations: [] });
  });

  it('names the sender and the account before it is accepted', async () => {
    const owner = await signedIn();
    await owner.ask('PUT', 'account', { name: 'Acme' });
    const email = newAddress();
    const token = await invited(owner, email, 'member');
    const { body } = await new Browser(edge).ask('POST', 'sign-in/look', { token });
    const { email: invitedBy } = await me(owner);
    expect(body).toEqual({ kind: 'invitation', email, account: 'Acme', invitedBy });
    const mail = edge.mails.findLast(({ to }) => to === email);
    expect(mail?.text).toContain(`${invitedBy} invited you`);
  });

  it('puts no words of the sender’s choice into a stranger’s mailbox', async () => {
    const owner = await signedIn();
    await owner.ask('PUT', 'account', { name: 'Win a car at evil.example' });
    const email = newAddress();
    await invited(owner, email, 'member');
    const mail = edge.mails.findLast(({ to }) => to === email);
    expect(`${mail?.subject} ${mail?.text}`).not.toContain('evil');
  });

  it('gives nobody it was forwarded to a session: what signs in is mailed to the invited address, for 15 minutes', async () => {
    const [owner, somebody] = [await signedIn(), await signedIn()];
    const email = newAddress();
    const token = await invited(owner, email, 'member');
    for (const browser of [somebody, new Browser(edge)]) {
      const { cookie } = browser;
      const mailed = edge.mails.length;
      expect(await browser.ask('POST', 'sign-in/confirm', { token })).toMatchObject({ status: 202, body: {} });
      expect(browser.cookie).toBe(cookie);
      expect(edge.mails.slice(mailed).map(({ to }) => to)).toEqual([email]);
    }
    const { results } = await (
      await edge.db()
    )
      .prepare('SELECT expires_at - created_at AS ms FROM mailed_links WHERE email = ?')
      .bind(email)
      .all();
    expect(results).toEqual([{ ms: 900_000 }, { ms: 900_000 }]);
    // An impatient one gets no more links than fit into a mailbox.
    expect((await somebody.ask('POST', 'sign-in/confirm', { token })).status).toBe(202);
    expect((await somebody.ask('POST', 'sign-in/confirm', { token })).status).toBe(429);
    // The link itself names nobody but the invited person, whoever is signed in where it is opened.
    const link = /#token=(\w+)/.exec(edge.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1];
    expect((await somebody.ask('POST', 'sign-in/confirm', { token: link })).status).toBe(200);
    expect(await me(somebody)).toMatchObject({ email, account: (await me(owner)).account });
  });

  it('is not accepted by just signing in', async () => {
    const owner = await signedIn();
    const email = newAddress();
    await invited(owner, email, 'member');
    const newcomer = await signedIn(email);
    expect((await me(newcomer)).account).not.toBe((await me(owner)).account);
  });

  it('works once, and is ended by its withdrawal or by a newer one to the same address', async () => {
    const owner = await signedIn();
    const [email, other] = [newAddress(), newAddress()];
    const first = await invited(owner, email, 'member');
    const second = await invited(owner, email, 'member');
    expect((await new Browser(edge).ask('POST', 'sign-in/confirm', { token: first })).status).toBe(410);
    await new Browser(edge).join(second, email);
    expect((await new Browser(edge).ask('POST', 'sign-in/confirm', { token: second })).status).toBe(410);
    const third = await invited(owner, other, 'owner');
    const { invitations } = Object((await owner.ask('GET', 'people')).body);
    expect(invitations).toMatchObject([{ email: other, role: 'owner' }]);
    const stranger = await signedIn();
    expect((await stranger.ask('DELETE', `invitations/${invitations[0].id}`, {})).status).toBe(404);
    expect((await owner.ask('DELETE', `invitations/${invitations[0].id}`, {})).status).toBe(200);
    expect((await new Browser(edge).ask('POST', 'sign-in/look', { token: third })).status).toBe(410);
    const late = new Browser(edge);
    expect((await late.ask('POST', 'sign-in/confirm', { token: third })).status).toBe(410);
    expect(late.cookie).toBeNull();
  });

  it('is refused for someone who already belongs to the account', async () => {
    const owner = await signedIn();
    const joined = await me(await member(owner));
    expect((await owner.ask('POST', 'invitations', { email: joined.email, role: 'owner' })).status).toBe(409);
  });

  it('ends when its sender stops being an owner', async () => {
    const owner = await signedIn();
    const [demoted, removed] = [await member(owner, 'owner'), await member(owner, 'owner')];
    const tokens = [];
    for (const former of [demoted, removed]) tokens.push(await invited(former, newAddress(), 'owner'));
    await owner.ask('PUT', `people/${(await me(demoted)).id}/role`, { role: 'member' });
    await owner.ask('DELETE', `people/${(await me(removed)).id}`, {});
    for (const token of tokens)
      expect((await new Browser(edge).ask('POST', 'sign-in/confirm', { token })).status).toBe(410);
    expect((await owner.ask('GET', 'people')).body).toMatchObject({ invitations: [] });
  });

  it('can only be sent by an owner', async () => {
    const joined = await member(await signedIn());
    expect((await joined.ask('POST', 'invitations', { email: newAddress(), role: 'owner' })).status).toBe(403);
  });
});

describe('roles', () => {
  it('are changed by owners, and the last owner remains one', async () => {
    const owner = await signedIn();
    const joined = await member(owner);
    const [boss, other] = [await me(owner), await me(joined)];
    expect((await joined.ask('PUT', `people/${other.id}/role`, { role: 'owner' })).status).toBe(403);
    expect((await owner.ask('PUT', `people/${boss.id}/role`, { role: 'member' })).status).toBe(409);
    expect((await owner.ask('PUT', `people/${other.id}/role`, { role: 'owner' })).status).toBe(200);
    expect((await owner.ask('PUT', `people/${boss.id}/role`, { role: 'member' })).status).toBe(200);
    expect((await me(owner)).role).toBe('member');
  });

  it('leave an owner even if the last two leave at the same moment', async () => {
    const owner = await signedIn();
    const second = await member(owner, 'owner');
    const [one, other] = [await me(owner), await me(second)];
    const left = await Promise.all([
      owner.ask('DELETE', `people/${one.id}`, {}),
      second.ask('DELETE', `people/${other.id}`, {}),
    ]);
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it("are checked at the moment of a change: a removed owner's late calls change nothing", async () => {
    const owner = await signedIn();
    const former = await member(owner, 'owner');
    const [boss, gone] = [await me(owner), await me(former)];
    const other = await me(await member(owner));
    const db = Object(await edge.db());
    await owner.ask('DELETE', `people/${gone.id}`, {});
    // Calls that were an owner's when they arrived, and reach the database now.
    expect(await setRole(db, boss.account, other.id, 'owner', gone.id)).toBe('not_owner');
    expect(await removeMember(db, { accountId: boss.account, personId: boss.id, home: db }, gone.id, 'stay')).toBe(
      'not_owner',
    );
    expect(await removeMember(db, { accountId: boss.account, personId: other.id, home: db }, gone.id, 'stay')).toBe(
      'not_owner',
    );
    const invitation = { accountId: boss.account, email: newAddress(), role: 'owner', invitedBy: gone.id } as const;
    expect(await invite(db, invitation, sentTo(invitation.email))).toEqual({ kind: 'not_owner' });
    const { people: left, invitations } = Object((await owner.ask('GET', 'people')).body);
    expect([left.length, left[1].role, invitations]).toEqual([2, 'member', []]);
  });

  it('let owners end the keys of people they remove, and keep members from deleting owners’ keys', async () => {
    const owner = await signedIn();
    const guest = await member(owner);
    const [hers, theirs] = [await newKey(owner), await newKey(guest)];
    expect((await guest.ask('DELETE', `keys/${hers.id}`, {})).status).toBe(403);
    expect((await guest.ask('GET', 'keys')).body).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ id: hers.id, madeBy: (await me(owner)).email, mayDelete: false }),
        expect.objectContaining({ id: theirs.id, madeBy: (await me(guest)).email, mayDelete: true }),
      ]),
    });
    const { id } = await me(guest);
    expect((await owner.ask('DELETE', `people/${id}?keys=all`, {})).status).toBe(400);
    expect((await owner.ask('DELETE', `people/${id}?keys=end`, {})).status).toBe(200);
    expect((await owner.ask('GET', 'keys')).body).toMatchObject({ keys: [{ id: hers.id }] });
  });

  it('let members leave, and only owners remove others', async () => {
    const owner = await signedIn();
    const [one, other] = [await member(owner), await member(owner)];
    const [first, second] = [await me(one), await me(other)];
    expect((await one.ask('DELETE', `people/${second.id}`, {})).status).toBe(403);
    expect((await one.ask('DELETE', `people/${first.id}`, {})).status).toBe(200);
    // They see an account of their own from then on.
    expect(await me(one)).toMatchObject({ role: 'owner', accounts: 1 });
    expect((await me(one)).account).not.toBe(first.account);
    expect((await owner.ask('DELETE', `people/${second.id}`, {})).status).toBe(200);
    expect((await me(other)).account).not.toBe(second.account);
    const stranger = await me(await signedIn());
    expect((await owner.ask('DELETE', `people/${stranger.id}`, {})).status).toBe(404);
  });
});

describe('accounts', () => {
  it('can only be opened by their own people', async () => {
    const [owner, visitor] = [await signedIn(), await signedIn()];
    const [{ account }, { account: own, email }] = [await me(owner), await me(visitor)];
    expect((await visitor.ask('PUT', 'me/account', { accountId: account })).status).toBe(404);
    expect((await me(visitor)).account).toBe(own);
    await visitor.join(await invited(owner, email, 'member'), email);
    expect(await me(visitor)).toMatchObject({ account, accounts: 2 });
    expect((await visitor.ask('PUT', 'me/account', { accountId: own })).status).toBe(200);
    expect((await me(visitor)).account).toBe(own);
    expect((await visitor.ask('PUT', 'account', { name: 'Mine', lowBalanceAt: 500 })).status).toBe(200);
    expect((await visitor.ask('GET', 'me')).body).toMatchObject({ account: { name: 'Mine', lowBalanceAt: 500 } });
    await visitor.ask('PUT', 'me/account', { accountId: account });
    expect((await visitor.ask('PUT', 'account', { name: 'Theirs' })).status).toBe(403);
  });
});

describe('a page', () => {
  it('with an outdated person or account does nothing, reads nothing and is told so', async () => {
    const [browser, owner] = [await signedIn(), await signedIn()];
    const before = await me(browser);
    const view = `${before.id} ${before.account}`;
    expect((await browser.ask('GET', 'balance', undefined, { 'rcpt-view': view })).status).toBe(200);
    // Another tab accepts an invitation, which switches the account.
    await browser.join(await invited(owner, before.email, 'owner'), before.email);
    const calls = [
      ['GET', 'balance', undefined],
      ['POST', 'page-key', {}],
      ['POST', 'keys', { kind: 'live', label: 'Mine' }],
      ['PUT', 'account', { name: 'Mine' }],
      ['DELETE', 'me', { email: before.email }],
    ] as const;
    for (const [method, path, body] of calls)
      expect((await browser.ask(method, path, body, { 'rcpt-view': view })).status).toBe(412);
    const now = await me(browser);
    expect(now).toMatchObject({ id: before.id, account: (await me(owner)).account });
    expect((await browser.ask('GET', 'keys', undefined, { 'rcpt-view': `${now.id} ${now.account}` })).body).toEqual({
      keys: [],
    });
    const somebodyElse = { 'rcpt-view': `per_other ${now.account}` };
    expect((await browser.ask('GET', 'balance', undefined, somebodyElse)).status).toBe(412);
  });
});

describe('a person', () => {
  it('can export everything stored about them', async () => {
    const owner = await signedIn();
    await invited(owner, newAddress(), 'member');
    const { email, account } = await me(owner);
    const { body, headers } = await owner.ask('GET', 'me/export');
    expect(headers.get('content-disposition')).toContain('attachment');
    expect(body).toMatchObject({
      email,
      accounts: [{ id: account, role: 'owner' }],
      sessions: [{ device: 'Firefox on Linux' }],
      invitationsSent: [{ role: 'member' }],
      welcomed: null,
    });
  });

  it('is deleted after typing their own address, and is new afterwards', async () => {
    const browser = await signedIn();
    const { id, email } = await me(browser);
    expect((await browser.ask('DELETE', 'me', { email: newAddress() })).status).toBe(400);
    expect((await browser.ask('DELETE', 'me', { email })).status).toBe(200);
    expect(browser.cookie).toBeNull();
    expect((await me(await signedIn(email))).id).not.toBe(id);
  });

  it('keeps everything while they are the last owner of an account that others use', async () => {
    const owner = await signedIn();
    const joined = await member(owner);
    const before = await me(owner);
    const { status, body } = await owner.ask('DELETE', 'me', { email: before.email });
    expect([status, body]).toMatchObject([409, { error: expect.stringContaining('last owner') }]);
    expect(await me(owner)).toEqual(before);
    await owner.ask('PUT', `people/${(await me(joined)).id}/role`, { role: 'owner' });
    expect((await owner.ask('DELETE', 'me', { email: before.email })).status).toBe(200);
    expect((await joined.ask('GET', 'people')).body).toMatchObject({ people: [{ role: 'owner' }] });
  });
});
