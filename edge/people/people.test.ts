import { beforeEach, describe, expect, test } from 'vitest';
import { peopleIn } from '../testing/people-in.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { deleteKey, listKeys } from './keys.ts';
import { type KeysOf, setRole, removeMember } from './people.ts';

let database: TestDatabase;
let world: ReturnType<typeof peopleIn>;
beforeEach(() => {
  database = openTestDatabase();
  world = peopleIn(database);
  for (const who of ['ann', 'bob', 'cy', 'eve']) world.person(who);
  world.account('acme', { ann: 'owner', bob: 'owner', cy: 'member' });
  world.account('other', { eve: 'owner', ann: 'member' });
});

const takeOut = (personId: string, by: string, keys: KeysOf) =>
  removeMember(database.db, { accountId: 'acme', personId, home: database.db }, by, keys);

describe('losing a role', () => {
  test('ends the invitations sent with it, and no others', async () => {
    world.invitation('acme', 'bob', 'x@x.test');
    world.invitation('acme', 'ann', 'y@x.test');
    world.invitation('other', 'bob', 'z@x.test');
    await setRole(database.db, 'acme', 'ann', 'owner', 'bob');
    expect(database.rows('SELECT id FROM invitations')).toHaveLength(3);
    await setRole(database.db, 'acme', 'bob', 'member', 'ann');
    expect(database.rows('SELECT id FROM invitations')).toEqual([{ id: 'acme y@x.test' }, { id: 'other z@x.test' }]);
  });
});

describe('removing a person', () => {
  test('ends their page keys there; the account’s keys and others’ page keys remain', async () => {
    world.key('acme', 'key');
    for (const who of ['bob', 'cy']) {
      world.session(who, 'acme');
      world.pageKey('acme', who);
    }
    await takeOut('cy', 'ann', 'stay');
    expect(database.rows('SELECT id FROM api_keys ORDER BY id')).toEqual([{ id: 'key' }, { id: 'page-bob' }]);
    // A refused removal ends none.
    await takeOut('bob', 'eve', 'stay');
    expect(database.rows('SELECT id FROM api_keys ORDER BY id')).toEqual([{ id: 'key' }, { id: 'page-bob' }]);
  });
});

const made = (account: string, id: string, by: string) =>
  database.put('api_keys', { hash: id, id, account_id: account, label: '', hint: '', created_at: 0, made_by: by });
const left = () => database.rows('SELECT id FROM api_keys ORDER BY id').map(({ id }) => id);

describe('the keys that a person made', () => {
  beforeEach(() => {
    made('acme', 'of-bob', 'bob');
    made('acme', 'of-cy', 'cy');
    made('other', 'of-cy-elsewhere', 'cy');
    world.key('acme', 'of-nobody');
  });

  test('can be deleted by an owner, and by a member only if made by members', async () => {
    for (const [key, end] of [
      ['of-bob', 'not_allowed'],
      ['of-nobody', 'not_allowed'],
      ['of-cy', 'deleted'],
    ] as const) {
      const shown = (await listKeys({ accountId: 'acme', by: 'cy', home: database.home })).find(({ id }) => id === key);
      expect(shown?.mayDelete).toBe(end === 'deleted');
      expect(await deleteKey({ accountId: 'acme', by: 'cy', home: database.home }, key)).toBe(end);
    }
    expect(left()).toEqual(['of-bob', 'of-cy-elsewhere', 'of-nobody']);
    for (const key of ['of-bob', 'of-nobody'])
      expect(await deleteKey({ accountId: 'acme', by: 'ann', home: database.home }, key)).toBe('deleted');
    expect(left()).toEqual(['of-cy-elsewhere']);
  });

  test('cannot be deleted by a member after the owner who made them left', async () => {
    await takeOut('bob', 'bob', 'stay');
    expect(await deleteKey({ accountId: 'acme', by: 'cy', home: database.home }, 'of-bob')).toBe('not_allowed');
    expect(await deleteKey({ accountId: 'acme', by: 'bob', home: database.home }, 'of-bob')).toBe('not_allowed');
    expect(await deleteKey({ accountId: 'acme', by: 'ann', home: database.home }, 'of-bob')).toBe('deleted');
  });

  test('stay when the person leaves, or end with it, in that account alone', async () => {
    await takeOut('bob', 'ann', 'stay');
    expect(left()).toEqual(['of-bob', 'of-cy', 'of-cy-elsewhere', 'of-nobody']);
    expect(await takeOut('cy', 'ann', 'end')).toBe('changed');
    expect(left()).toEqual(['of-bob', 'of-cy-elsewhere', 'of-nobody']);
  });

  test('only end by a permitted removal, or by an owner after the person left', async () => {
    for (const by of ['cy', 'eve']) await takeOut('bob', by, 'end');
    await takeOut('bob', 'ann', 'stay');
    for (const by of ['cy', 'bob']) expect(await takeOut('bob', by, 'end')).toBe('unknown');
    expect(left()).toEqual(['of-bob', 'of-cy', 'of-cy-elsewhere', 'of-nobody']);
    // The first call may have failed before it reached the keys.
    expect(await takeOut('bob', 'ann', 'end')).toBe('unknown');
    expect(left()).toEqual(['of-cy', 'of-cy-elsewhere', 'of-nobody']);
  });
});

test('a key can be deleted only in its own account, and a page key not by id', async () => {
  world.key('acme', 'key');
  world.session('ann', 'acme');
  world.pageKey('acme', 'ann');
  expect(await deleteKey({ accountId: 'other', by: 'eve', home: database.home }, 'key')).toBe('unknown');
  expect(await deleteKey({ accountId: 'acme', by: 'ann', home: database.home }, 'page-ann')).toBe('unknown');
  expect((await listKeys({ accountId: 'acme', by: 'ann', home: database.home })).map(({ id }) => id)).toEqual(['key']);
  expect(await deleteKey({ accountId: 'acme', by: 'ann', home: database.home }, 'key')).toBe('deleted');
  expect(database.rows('SELECT id FROM api_keys')).toEqual([{ id: 'page-ann' }]);
});
