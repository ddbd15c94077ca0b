import { beforeEach, describe, expect, test } from 'vitest';
import { peopleIn } from '../testing/people-in.ts';
import { sentTo } from '../testing/sent-to.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { invite, listInvitations } from './invitations.ts';
import { lookAtLink, makeSignInLink } from './links.ts';
import { signIn } from './sign-in.ts';

const DAY_MS = 86_400_000;
const NOTHING = { welcome: null, nowMs: 0 };

let database: TestDatabase;
let world: ReturnType<typeof peopleIn>;
beforeEach(() => {
  database = openTestDatabase();
  world = peopleIn(database);
  world.person('ann');
  world.account('acme', { ann: 'owner' });
});

const send = (email: string, role: 'owner' | 'member' = 'member', invitedBy = 'ann') =>
  invite(database.db, { accountId: 'acme', email, role, invitedBy }, sentTo(email));

async function invited(email: string, role: 'owner' | 'member' = 'member'): Promise<string> {
  const sent = await send(email, role);
  if (sent.kind !== 'invited') throw new Error(sent.kind);
  return sent.token;
}

/** The token of a link that signs in. @param id of the invitation that it also accepts */
async function link(email: string, id: string | null = null): Promise<string> {
  return (await makeSignInLink(database.db, email, sentTo(email), id)) ?? '';
}
type Statements = Parameters<typeof database.db.batch>[0];
const enter = (token: string, email: string) => signIn(database.db, { token, email }, '', NOTHING);
const memberships = (email: string) =>
  database.rows(
    `SELECT account_id AS id, role FROM memberships m JOIN people p ON p.id = person_id WHERE email = '${email}'`,
  );

describe('a link', () => {
  test('is used up by signing in, and stays good if that is interrupted anywhere', async () => {
    const token = await link('cy@x.test');
    const interrupted: typeof database.db = Object.create(database.db, {
      batch: { value: (statements: Statements) => database.db.batch([...statements, broken]) },
    });
    const broken = database.db.prepare('SELECT * FROM nowhere');
    await expect(signIn(interrupted, { token, email: 'cy@x.test' }, '', NOTHING)).rejects.toThrow('nowhere');
    expect(database.rows("SELECT 1 FROM people WHERE email = 'cy@x.test'")).toEqual([]);
    expect(await enter(token, 'cy@x.test')).not.toBeNull();
    expect(await enter(token, 'cy@x.test')).toBeNull();
    expect(database.rows('SELECT 1 FROM sessions')).toHaveLength(1);
  });

  test('signs in if the answer of D1 is lost and the transaction repeated', async () => {
    const token = await link('cy@x.test');
    let losses = 1;
    const losing: typeof database.db = Object.create(database.db, {
      batch: {
        value: async (statements: Statements) => {
          const answer = await database.db.batch(statements);
          if ((losses -= 1) >= 0) throw new Error('D1_ERROR: Network connection lost.');
          return answer;
        },
      },
    });
    expect(await signIn(losing, { token, email: 'cy@x.test' }, '', NOTHING)).not.toBeNull();
    expect(database.rows('SELECT 1 FROM sessions')).toHaveLength(1);
    expect(memberships('cy@x.test')).toHaveLength(1);
  });

  test('signs in nobody once it has expired', async () => {
    const token = await link('cy@x.test');
    database.pass(15 * 60_000);
    expect(await enter(token, 'cy@x.test')).toBeNull();
    expect(database.rows("SELECT 1 FROM people WHERE id <> 'ann'")).toEqual([]);
  });
});

describe('an invitation', () => {
  test('signs in nobody: only a link mailed to the invited address accepts it, with its role, once', async () => {
    const token = await invited('cy@x.test', 'owner');
    const invitation = await lookAtLink(database.db, token);
    expect(invitation).toMatchObject({ kind: 'invitation', account: 'acme', invitedBy: 'ann@x.test' });
    expect(await enter(token, 'cy@x.test')).toBeNull();
    expect(memberships('cy@x.test')).toEqual([]);
    const [{ id } = { id: '' }] = await listInvitations(database.db, 'acme');
    const links = [await link('cy@x.test', id), await link('cy@x.test', id)];
    expect(await lookAtLink(database.db, links[0] ?? '')).toEqual({
      kind: 'sign_in',
      email: 'cy@x.test',
      account: 'acme',
      isKnown: 0,
    });
    expect(await enter(links[0] ?? '', 'cy@x.test')).not.toBeNull();
    expect(memberships('cy@x.test')).toEqual([{ id: 'acme', role: 'owner' }]);
    expect(await enter(links[1] ?? '', 'cy@x.test')).toBeNull();
    expect(await lookAtLink(database.db, token)).toBeNull();
  });

  test('only works for the mailbox it was sent to, and until it expires', async () => {
    await send('cy@x.test');
    const [{ id } = { id: '' }] = await listInvitations(database.db, 'acme');
    expect(await enter(await link('eve@x.test', id), 'eve@x.test')).toBeNull();
    database.pass(7 * DAY_MS - 60_000);
    const late = await link('cy@x.test', id);
    database.pass(60_000);
    expect(await listInvitations(database.db, 'acme')).toEqual([]);
    expect(await enter(late, 'cy@x.test')).toBeNull();
    expect(database.rows("SELECT id FROM people WHERE id <> 'ann'")).toEqual([]);
  });
});
