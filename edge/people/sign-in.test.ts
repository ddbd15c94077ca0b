import { beforeEach, describe, expect, test } from 'vitest';
import { peopleIn } from '../testing/people-in.ts';
import { sentTo } from '../testing/sent-to.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { lookAtLink, makeSignInLink, useLink } from './links.ts';
import { newChallenge, removePasskey, signInByPasskey, useChallenge } from './passkeys.ts';
import { endSession, listSessions, lookAtAccount, readSession } from './sessions.ts';
import { signIn } from './sign-in.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOTHING = { welcome: null, nowMs: 0 };

let database: TestDatabase;
let world: ReturnType<typeof peopleIn>;
beforeEach(() => {
  database = openTestDatabase();
  world = peopleIn(database);
  world.person('ann');
  world.person('bob');
  world.account('acme', { ann: 'owner', bob: 'member' });
  world.account('other', { bob: 'owner' });
});

/** Signs in by a link of a mail. */
async function enter(email: string) {
  const token = (await makeSignInLink(database.db, email, sentTo(email))) ?? '';
  const link = await useLink(database.db, token);
  if (link === null) throw new Error('the link leads nowhere');
  const { kind, session } = { session: null, ...(await signIn(database.db, link, 'Firefox', NOTHING)) };
  if (kind !== 'signed_in' || session === null) throw new Error(kind);
  return session;
}

const send = (email: string, role: 'owner' | 'member' = 'member', invitedBy = 'ann') =>
  invite(database.db, { accountId: 'acme', email, role, invitedBy }, sentTo(email));

async function invited(email: string, role: 'owner' | 'member' = 'member'): Promise<string> {
  const sent = await send(email, role);
  if (sent.kind !== 'invited') throw new Error(sent.kind);
  return sent.token;
}

describe('a mailed link', () => {
  test('is good once, and a quarter of an hour', async () => {
    const token = (await makeSignInLink(database.db, 'ann@x.test', sentTo('ann@x.test'))) ?? '';
    expect(await lookAtLink(database.db, token)).toEqual({ kind: 'sign_in', email: 'ann@x.test' });
    expect(await useLink(database.db, token)).toEqual({ email: 'ann@x.test', invitationId: null });
    expect(await useLink(database.db, token)).toBe(null);
    const late = (await makeSignInLink(database.db, 'ann@x.test', sentTo('ann@x.test'))) ?? '';
    database.pass(15 * MINUTE_MS);
    expect(await lookAtLink(database.db, late)).toBe(null);
    expect(await useLink(database.db, late)).toBe(null);
  });

  test('is not mailed while three wait in that mailbox; those of others do not count', async () => {
    for (const made of [true, true, true, false])
      expect((await makeSignInLink(database.db, 'ann@x.test', sentTo('ann@x.test'))) !== null).toBe(made);
    expect(await makeSignInLink(database.db, 'bob@x.test', sentTo('bob@x.test'))).not.toBe(null);
    database.pass(15 * MINUTE_MS);
    expect(await makeSignInLink(database.db, 'ann@x.test', sentTo('ann@x.test'))).not.toBe(null);
  });
});

describe('signing in', () => {
  test('meets somebody once, and gives them one account of their own', async () => {
    const link = { email: 'new@x.test', invitationId: null };
    for (let times = 0; times < 2; times += 1)
      expect(await signIn(database.db, link, '', NOTHING)).toMatchObject({ kind: 'signed_in' });
    expect(
      database.rows("SELECT role FROM memberships m JOIN people p ON p.id = person_id WHERE email = 'new@x.test'"),
    ).toEqual([{ role: 'owner' }]);
  });

  test('opens no account for somebody who has one', async () => {
    await enter('bob@x.test');
    expect(database.rows('SELECT id FROM accounts ORDER BY id')).toEqual([{ id: 'acme' }, { id: 'other' }]);
  });
});

describe('an invitation', () => {
  test('makes its reader a member as it says, and of nothing else; it is used up', async () => {
    const token = await invited('cy@x.test', 'owner');
    expect(await lookAtLink(database.db, token)).toMatchObject({ account: 'acme', invitedBy: 'ann@x.test' });
    const link = (await useLink(database.db, token)) ?? { email: '', invitationId: null };
    expect(await signIn(database.db, link, '', NOTHING)).toMatchObject({ kind: 'signed_in' });
    const joined =
      "SELECT account_id AS id, role FROM memberships m JOIN people p ON p.id = person_id WHERE email = 'cy@x.test'";
    expect(database.rows(joined)).toEqual([{ id: 'acme', role: 'owner' }]);
    expect(await signIn(database.db, link, '', NOTHING)).toEqual({ kind: 'no_invitation' });
  });

  test('is for the mailbox that it was sent to, while it stands', async () => {
    await send('cy@x.test');
    const [{ id } = { id: '' }] = await listInvitations(database.db, 'acme');
    expect(await signIn(database.db, { email: 'eve@x.test', invitationId: id }, '', NOTHING)).toEqual({
      kind: 'no_invitation',
    });
    expect(database.rows("SELECT id FROM people WHERE email = 'eve@x.test'")).toEqual([]);
    database.pass(7 * DAY_MS);
    expect(await listInvitations(database.db, 'acme')).toEqual([]);
    expect(await signIn(database.db, { email: 'cy@x.test', invitationId: id }, '', NOTHING)).toEqual({
      kind: 'no_invitation',
    });
    expect(database.rows("SELECT id FROM people WHERE email = 'cy@x.test'")).toEqual([]);
  });

  test('is sent by owners, to people who are not in the account', async () => {
    expect(await send('cy@x.test', 'owner', 'bob')).toEqual({ kind: 'not_owner' });
    expect(await send('bob@x.test')).toEqual({ kind: 'already_in' });
    expect(database.rows('SELECT id FROM invitations')).toEqual([]);
  });

  test('sent anew takes the earlier one’s place', async () => {
    const first = await invited('cy@x.test', 'owner');
    const second = await invited('cy@x.test');
    expect(await lookAtLink(database.db, first)).toBe(null);
    expect(await lookAtLink(database.db, second)).toMatchObject({ kind: 'invitation' });
    expect((await listInvitations(database.db, 'acme')).map(({ email, role }) => [email, role])).toEqual([
      ['cy@x.test', 'member'],
    ]);
  });

  test('goes to one mailbox five times in an hour, from whichever account', async () => {
    for (let n = 0; n < 5; n += 1) await invited('cy@x.test');
    expect(await send('cy@x.test')).toEqual({ kind: 'too_many' });
    expect(
      await invite(
        database.db,
        { accountId: 'other', email: 'cy@x.test', role: 'member', invitedBy: 'bob' },
        sentTo('cy@x.test'),
      ),
    ).toEqual({
      kind: 'too_many',
    });
    expect(await send('di@x.test')).toMatchObject({ kind: 'invited' });
    database.pass(60 * MINUTE_MS);
    expect(await send('cy@x.test')).toMatchObject({ kind: 'invited' });
  });

  test('is withdrawn by its own account alone', async () => {
    await send('cy@x.test');
    const [{ id } = { id: '' }] = await listInvitations(database.db, 'acme');
    expect(await withdrawInvitation(database.db, 'other', id)).toBe(false);
    expect(await withdrawInvitation(database.db, 'acme', id)).toBe(true);
    expect(await listInvitations(database.db, 'acme')).toEqual([]);
  });
});

describe('a session', () => {
  test('lasts 30 days and looks at an account of its person', async () => {
    const { token } = await enter('bob@x.test');
    expect(await readSession(database.db, token)).toMatchObject({ person: { id: 'bob' }, account: { id: 'acme' } });
    expect(await readSession(database.db, `${token}x`)).toBe(null);
    database.pass(30 * DAY_MS);
    expect(await readSession(database.db, token)).toBe(null);
  });

  test('is fresh for ten minutes', async () => {
    const { token } = await enter('bob@x.test');
    database.pass(10 * MINUTE_MS - 1);
    expect(await readSession(database.db, token)).toMatchObject({ isFresh: true });
    database.pass(1);
    expect(await readSession(database.db, token)).toMatchObject({ isFresh: false });
  });

  test('is led to another account of its person, and to no account of others', async () => {
    const bob = await enter('bob@x.test');
    const ann = await enter('ann@x.test');
    const [session, hers] = [await readSession(database.db, bob.token), await readSession(database.db, ann.token)];
    if (session === null || hers === null) throw new Error('signed out');
    expect(await lookAtAccount(database.db, hers, 'other')).toBe(false);
    expect(await lookAtAccount(database.db, session, 'other')).toBe(true);
    expect(await readSession(database.db, bob.token)).toMatchObject({ account: { id: 'other', role: 'owner' } });
    expect(await readSession(database.db, ann.token)).toMatchObject({ account: { id: 'acme' } });
  });

  test('of somebody who was taken out of the account looks at another of theirs', async () => {
    const { token } = await enter('bob@x.test');
    database.rows("DELETE FROM memberships WHERE account_id = 'acme' AND person_id = 'bob'");
    expect(await readSession(database.db, token)).toMatchObject({ account: { id: 'other' } });
  });

  test('is ended by its own person alone, with the keys of its pages', async () => {
    const [bob, ann] = [await enter('bob@x.test'), await enter('ann@x.test')];
    world.session('bob', 'acme');
    world.pageKey('acme', 'bob');
    expect(await endSession(database.db, 'ann', 'session-bob')).toBe(false);
    expect(database.rows('SELECT id FROM api_keys')).toEqual([{ id: 'page-bob' }]);
    expect(await endSession(database.db, 'bob', 'session-bob')).toBe(true);
    expect(database.rows('SELECT id FROM api_keys')).toEqual([]);
    expect((await listSessions(database.db, 'bob')).map(({ id }) => id)).toEqual([bob.id]);
    expect(await readSession(database.db, ann.token)).not.toBe(null);
  });
});

describe('a passkey', () => {
  test.each([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 5, false],
    [5, 0, false],
  ])('whose counter was %i and is %i signs in: %s', async (was, is, signs) => {
    world.passkey('ann', was);
    const credential = {
      id: 'passkey-ann',
      email: 'ann@x.test',
      publicKey: '',
      algorithm: 'ES256',
      counter: was,
    } as const;
    const session = await signInByPasskey(database.db, credential, is, '');
    expect(session !== null).toBe(signs);
    if (session !== null)
      expect(await readSession(database.db, session.token)).toMatchObject({ person: { id: 'ann' } });
  });

  test('is removed by its own person alone', async () => {
    world.passkey('ann');
    expect(await removePasskey(database.db, 'bob', 'passkey-ann')).toBe(false);
    expect(await removePasskey(database.db, 'ann', 'passkey-ann')).toBe(true);
  });

  test('signs a challenge that is good once, for its own person, and five minutes', async () => {
    const challenge = await newChallenge(database.db, 'ann');
    expect(await useChallenge(database.db, challenge, 'bob')).toBe(false);
    expect(await useChallenge(database.db, challenge, null)).toBe(false);
    expect(await useChallenge(database.db, challenge, 'ann')).toBe(true);
    expect(await useChallenge(database.db, challenge, 'ann')).toBe(false);
    const late = await newChallenge(database.db, null);
    database.pass(5 * MINUTE_MS);
    expect(await useChallenge(database.db, late, null)).toBe(false);
  });
});
