import { beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { peopleIn } from '../testing/people-in.ts';
import { deletePerson, exportPerson } from './delete-person.ts';

let database: TestDatabase;
let world: ReturnType<typeof peopleIn>;
beforeEach(() => {
  database = openTestDatabase();
  world = peopleIn(database);
  world.person('ann');
  world.person('bob');
});

const left = (table: string): readonly unknown[] =>
  database
    .rows(`SELECT ${table === 'memberships' ? "account_id || ' ' || person_id" : 'id'} AS id FROM ${table} ORDER BY 1`)
    .map(({ id }) => id);

describe('deleting a person', () => {
  test('closes an account that has nobody else: no key opens it, no invitation leads there, no name tells whose it was', async () => {
    world.account('hers', { ann: 'owner' });
    world.key('hers', 'key');
    world.invitation('hers', 'ann', 'cy@x.test');
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(database.rows('SELECT id, name, low_balance_at AS low FROM accounts')).toEqual([
      { id: 'hers', name: 'Closed account', low: 0 },
    ]);
    for (const table of ['api_keys', 'invitations', 'memberships']) expect(left(table)).toEqual([]);
    expect(left('people')).toEqual(['bob']);
  });

  test('takes the Idempotency-Keys of an account that is closed along, and of no other', async () => {
    world.account('hers', { ann: 'owner' });
    world.account('shared', { ann: 'member', bob: 'owner' });
    const key = { key_hash: 'k', body_hash: 'b', charged: '1', attempts: 1, batch_id: 'x', begun_at: database.now() };
    database.put('idempotency_keys', { account_id: 'hers', ...key }, { account_id: 'shared', ...key });
    await deletePerson(database.db, 'ann');
    expect(database.rows('SELECT account_id AS id FROM idempotency_keys')).toEqual([{ id: 'shared' }]);
  });

  test('leaves an account that has others as it is: its keys, its invitations, its people', async () => {
    world.account('shared', { ann: 'member', bob: 'owner' });
    world.key('shared', 'key');
    world.invitation('shared', 'bob', 'cy@x.test');
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(database.rows('SELECT name, low_balance_at AS low FROM accounts')).toEqual([{ name: 'shared', low: 7 }]);
    expect(left('api_keys')).toEqual(['key']);
    expect(left('invitations')).toEqual(['shared cy@x.test']);
    expect(left('memberships')).toEqual(['shared bob']);
  });

  test('leaves the account of somebody else alone, even if that one has one person too', async () => {
    world.account('hers', { ann: 'owner' });
    world.account('his', { bob: 'owner' });
    world.key('his', 'key-of-bob');
    world.invitation('his', 'bob', 'cy@x.test');
    world.session('bob', 'his');
    await deletePerson(database.db, 'ann');
    expect(database.rows("SELECT name FROM accounts WHERE id = 'his'")).toEqual([{ name: 'his' }]);
    expect(left('api_keys')).toEqual(['key-of-bob']);
    expect(left('memberships')).toEqual(['his bob']);
    expect(left('sessions')).toEqual(['session-bob']);
    expect(left('invitations')).toEqual(['his cy@x.test']);
    expect(left('people')).toEqual(['bob']);
  });

  test('of the last owner among others changes nothing, in any of their accounts, and says which one it is', async () => {
    world.account('alone', { ann: 'owner' });
    world.account('shared', { ann: 'owner', bob: 'member' });
    world.key('alone', 'key');
    world.invitation('alone', 'ann', 'cy@x.test');
    world.session('ann', 'alone');
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'last_owner', account: 'shared' });
    expect(left('memberships')).toEqual(['alone ann', 'shared ann', 'shared bob']);
    for (const [table, ids] of [
      ['api_keys', ['key']],
      ['invitations', ['alone cy@x.test']],
      ['sessions', ['session-ann']],
      ['people', ['ann', 'bob']],
    ] as const)
      expect(left(table)).toEqual(ids);
    expect(database.rows("SELECT name FROM accounts WHERE id = 'alone'")).toEqual([{ name: 'alone' }]);
  });

  test('is done if another owner stays', async () => {
    world.account('shared', { ann: 'owner', bob: 'owner' });
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(left('memberships')).toEqual(['shared bob']);
  });

  test('takes all that is theirs and nothing that is another’s', async () => {
    world.account('shared', { ann: 'owner', bob: 'owner' });
    for (const who of ['ann', 'bob']) {
      world.session(who, 'shared');
      world.pageKey('shared', who);
      world.passkey(who);
      world.challenge(who);
      world.link(`${who}@x.test`);
      world.order('shared', who);
    }
    world.invitation('shared', 'ann', 'cy@x.test');
    world.invitation('shared', 'bob', 'di@x.test');
    world.account('elsewhere', { bob: 'owner' });
    world.invitation('elsewhere', 'bob', 'ann@x.test');
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(left('sessions')).toEqual(['session-bob']);
    expect(left('api_keys')).toEqual(['page-bob']);
    expect(left('passkeys')).toEqual(['passkey-bob']);
    expect(left('invitations')).toEqual(['shared di@x.test']);
    expect(database.rows('SELECT person_id AS id FROM challenges')).toEqual([{ id: 'bob' }]);
    expect(database.rows('SELECT email FROM mailed_links')).toEqual([{ email: 'bob@x.test' }]);
    // What was bought stays with the account; who bought it is forgotten.
    expect(database.rows('SELECT id, person_id AS who FROM orders ORDER BY id')).toEqual([
      { id: 'order-ann', who: null },
      { id: 'order-bob', who: 'bob' },
    ]);
    expect(left('people')).toEqual(['bob']);
  });

  test('names the orders of the accounts that close with it, if Stripe could still take money for them', async () => {
    world.account('hers', { ann: 'owner' });
    world.account('shared', { ann: 'member', bob: 'owner' });
    for (const [account, who] of [
      ['hers', 'ann'],
      ['shared', 'bob'],
    ] as const)
      world.order(account, who);
    for (const [id, state, checkout] of [
      ['open', 'open', 'cs_1'],
      ['expired', 'expired', 'cs_2'],
    ] as const)
      database.put('orders', {
        id,
        account_id: 'hers',
        credits: 1,
        amount: 1,
        currency: 'eur',
        state,
        created_at: 0,
        asked_at: 0,
        checkout_id: checkout,
      });
    database.rows("UPDATE orders SET checkout_id = 'cs_3' WHERE account_id = 'shared'");
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: ['open'] });
  });

  test('a second time changes nothing', async () => {
    world.account('hers', { ann: 'owner' });
    await deletePerson(database.db, 'ann');
    expect(await deletePerson(database.db, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(left('people')).toEqual(['bob']);
  });
});

test('what is stored about a person is all theirs, and nothing of another’s', async () => {
  world.account('shared', { ann: 'owner', bob: 'member' });
  for (const who of ['ann', 'bob']) {
    world.session(who, 'shared');
    world.passkey(who);
    world.order('shared', who);
    world.link(`${who}@x.test`);
  }
  world.invitation('shared', 'ann', 'cy@x.test');
  world.account('elsewhere', { bob: 'owner' });
  world.invitation('elsewhere', 'bob', 'ann@x.test');
  expect(JSON.parse(await exportPerson(database.db, 'ann'))).toMatchObject({
    email: 'ann@x.test',
    accounts: [{ id: 'shared', role: 'owner' }],
    sessions: [{ id: 'session-ann' }],
    passkeys: [{ id: 'passkey-ann' }],
    invitationsSent: [{ email: 'cy@x.test', account: 'shared' }],
    invitationsReceived: [{ account: 'elsewhere' }],
    linksWaiting: 1,
    orders: [{ id: 'order-ann' }],
  });
});
