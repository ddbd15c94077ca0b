import { beforeEach, describe, expect, test } from 'vitest';
import { peopleIn } from '../testing/people-in.ts';
import { sentTo } from '../testing/sent-to.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { invite, listInvitations } from './invitations.ts';
import { lookAtLink, useLink } from './links.ts';
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

describe('an invitation', () => {
  test('makes its reader a member with the stated role, of that account alone, and is used up', async () => {
    const token = await invited('cy@x.test', 'owner');
    expect(await lookAtLink(database.db, token)).toMatchObject({ account: 'acme', invitedBy: 'ann@x.test' });
    const link = (await useLink(database.db, token)) ?? { email: '', invitationId: null };
    expect(await signIn(database.db, link, '', NOTHING)).toMatchObject({ kind: 'signed_in' });
    const joined =
      "SELECT account_id AS id, role FROM memberships m JOIN people p ON p.id = person_id WHERE email = 'cy@x.test'";
    expect(database.rows(joined)).toEqual([{ id: 'acme', role: 'owner' }]);
    expect(await signIn(database.db, link, '', NOTHING)).toEqual({ kind: 'no_invitation' });
  });

  test('only works for the mailbox it was sent to, and until it expires', async () => {
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
});
