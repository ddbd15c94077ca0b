import { beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { peopleIn } from '../testing/people-in.ts';
import { grant } from '../ledger/grant.ts';
import { deletePerson, whatEnds } from './delete-person.ts';

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
  test('closes an account without other people, with its keys, invitations and name', async () => {
    world.account('hers', { ann: 'owner' });
    world.key('hers', 'key');
    world.invitation('hers', 'ann', 'cy@x.test');
    expect(await deletePerson(database.home, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(database.rows('SELECT id, name, low_balance_at AS low FROM accounts')).toEqual([
      { id: 'hers', name: 'Closed account', low: 0 },
    ]);
    for (const table of ['api_keys', 'invitations', 'memberships']) expect(left(table)).toEqual([]);
    expect(left('people')).toEqual(['bob']);
  });

  test('is told before what it ends: credits and open orders of accounts without other people, and of no others', async () => {
    world.account('hers', { ann: 'owner' });
    world.account('old', { ann: 'owner' });
    world.account('shared', { ann: 'owner', bob: 'member' });
    for (const id of ['hers', 'old', 'shared'])
      await grant(database.db, { accountId: id, purchaseId: 'p', credits: 1_000, nowMs: database.now() });
    world.order('hers', 'ann');
    world.order('shared', 'bob');
    database.rows("UPDATE accounts SET expires_at = 1 WHERE id = 'old'");
    const accounts = [
      { name: 'hers', credits: 1_000, openOrders: 1 },
      { name: 'old', credits: 0, openOrders: 0 },
    ];
    expect(await whatEnds(database.home, 'ann')).toEqual({ accounts, lastOwnerOf: 'shared' });
    expect(await whatEnds(database.home, 'bob')).toEqual({ accounts: [], lastOwnerOf: null });
  });

  test('deletes the Idempotency-Keys of a closed account, and of no other', async () => {
    world.account('hers', { ann: 'owner' });
    world.account('shared', { ann: 'member', bob: 'owner' });
    const key = { key_hash: 'k', body_hash: 'b', charged: '1', attempts: 1, batch_id: 'x', begun_at: database.now() };
    database.put('idempotency_keys', { account_id: 'hers', ...key }, { account_id: 'shared', ...key });
    await deletePerson(database.home, 'ann');
    expect(database.rows('SELECT account_id AS id FROM idempotency_keys')).toEqual([{ id: 'shared' }]);
  });

  test('deletes everything of theirs and nothing of others', async () => {
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
    expect(await deletePerson(database.home, 'ann')).toEqual({ kind: 'deleted', unpaid: [] });
    expect(left('sessions')).toEqual(['session-bob']);
    expect(left('api_keys')).toEqual(['page-bob']);
    expect(left('passkeys')).toEqual(['passkey-bob']);
    expect(left('invitations')).toEqual(['shared di@x.test']);
    expect(database.rows('SELECT person_id AS id FROM challenges')).toEqual([{ id: 'bob' }]);
    expect(database.rows('SELECT email FROM mailed_links')).toEqual([{ email: 'bob@x.test' }]);
    // Purchases stay with the account; the person who bought is forgotten.
    expect(database.rows('SELECT id, person_id AS who FROM orders ORDER BY id')).toEqual([
      { id: 'order-ann', who: null },
      { id: 'order-bob', who: 'bob' },
    ]);
    expect(left('people')).toEqual(['bob']);
  });

  test("names the closed accounts' orders that Stripe could still take money for", async () => {
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
    expect(await deletePerson(database.home, 'ann')).toEqual({ kind: 'deleted', unpaid: ['open'] });
  });
});
