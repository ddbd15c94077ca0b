import { beforeEach, expect, test } from 'vitest';
import { holdRequest } from '../testing/hold-request.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { correct } from './correct.ts';
import { giveGift } from './gift.ts';
import { grant } from './grant.ts';
import { hold, proveKey } from './hold.ts';

// The class of an account, as reported by a hold and by proving its key.

let database: TestDatabase;
beforeEach(() => {
  database = openTestDatabase();
  for (const id of ['acme', 'other']) {
    database.put('accounts', { id, name: id, created_at: 0 });
    database.put('api_keys', {
      hash: `key of ${id}`,
      id: `k-${id}`,
      account_id: id,
      label: '',
      hint: '',
      created_at: 0,
    });
  }
});

const book = (purchaseId: string) =>
  grant(database.db, { accountId: 'acme', purchaseId, credits: 10, nowMs: database.now() });
const give = () =>
  database.db.batch([
    database.db.prepare("UPDATE accounts SET name = 'welcomed' WHERE id = 'acme'"),
    ...giveGift(database.db, { accountId: 'acme', credits: 10, nowMs: database.now() }),
  ]);
/** By a hold, by the same hold once more, and by the key alone. */
async function classes(who = 'acme'): Promise<readonly unknown[]> {
  const keyHash = `key of ${who}`;
  const request = holdRequest(keyHash, 1);
  const holds = [await hold(database.db, request), await hold(database.db, request)];
  const told = [...holds, await proveKey(database.db, keyHash)];
  return told.map((answer) => (answer !== null && 'accountClass' in answer ? answer.accountClass : null));
}

test('an account that only got the gift is free', async () => {
  await give();
  expect(await classes()).toEqual(['free', 'free', 'free']);
});

test('a purchase makes an account a buyer for good: after a gift, a repeat and a correction', async () => {
  await book('order-1');
  await give();
  await book('order-1');
  await correct(database.db, { accountId: 'acme', correctionId: 'back', credits: -10 });
  expect(await classes()).toEqual(['bought', 'bought', 'bought']);
});

test("a purchase under the gift's id does not count as one", async () => {
  await give();
  await book('welcome');
  expect(await classes()).toEqual(['free', 'free', 'free']);
});

test('a purchase does not change the class of another account', async () => {
  await book('order-1');
  database.put('ledger', { account_id: 'other', ref_id: 'x', kind: 'purchase', delta: 5, at: 0 });
  database.rows(
    `UPDATE accounts SET balance = 5, expires_at = ${database.now() + 60_000} WHERE id = 'other' RETURNING id`,
  );
  expect(await classes('other')).toEqual(['free', 'free', 'free']);
});

const ask = (addresses: number) =>
  hold(database.db, holdRequest('key of acme', 1, { addresses, maxInFlight: 5, maxInFlightFree: 2 }));

test('each class has its own limit on addresses in flight', async () => {
  await give();
  expect(await ask(2)).toMatchObject({ kind: 'held' });
  expect(await ask(1)).toMatchObject({ kind: 'too_many_in_flight', inFlight: 2 });
  await book('first');
  expect(await ask(3)).toMatchObject({ kind: 'held' });
  expect(await ask(1)).toMatchObject({ kind: 'too_many_in_flight', inFlight: 5 });
});
