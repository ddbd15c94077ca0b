import { beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { forgetShortage, fundsSince, knownShortage, noteShortage } from './funds.ts';
import { grant } from './grant.ts';

let database: TestDatabase;
beforeEach(() => {
  database = openTestDatabase();
  const expiresAt = database.now() + 60_000;
  database.put('accounts', { id: 'a', name: 'a', created_at: 0, balance: 3, expires_at: expiresAt });
  database.put('holds', { id: 'h', account_id: 'a', credits: 4, addresses: 4, opened_at: 0, expires_at: expiresAt });
});

const shortage = { remaining: 3, attainable: 7, addresses: 10, askedMs: 1_000 };
const known = (nowMs: number, addresses = 10, account = 'a') => knownShortage(database.db, account, addresses, nowMs);

const told = { remaining: 3, attainable: 7 };

test('what D1 said of an account is known for a second, for requests that are no larger', () => {
  noteShortage(database.db, 'a', shortage);
  expect([known(1_999), known(2_000)]).toMatchObject([told, null]);
  expect([known(1_500, 11), known(1_500, 10, 'other')]).toEqual([null, null]);
});

test('it is forgotten when credits are booked, in the account that gets them', async () => {
  noteShortage(database.db, 'a', shortage);
  noteShortage(database.db, 'other', shortage);
  await grant(database.db, { accountId: 'a', purchaseId: 'p', credits: 5, nowMs: database.now() });
  expect([known(1_500), known(1_500, 1, 'other')]).toMatchObject([null, told]);
  forgetShortage(database.db, 'other');
  expect(known(1_500, 1, 'other')).toBeNull();
});

test('other databases, which are other isolates, know nothing of it', () => {
  noteShortage(database.db, 'a', shortage);
  expect(knownShortage(openTestDatabase().db, 'a', 1, 1_500)).toBeNull();
});

test('no more than ten thousand accounts are known', () => {
  noteShortage(database.db, 'a', shortage);
  for (let n = 0; n < 10_000; n += 1) noteShortage(database.db, `b${n}`, shortage);
  expect([known(1_500), known(1_500, 1, 'b0')]).toMatchObject([null, told]);
});

test('what an account has is read once for all that wait for it', async () => {
  const now = Date.now();
  const reads = Array.from({ length: 20 }, () => fundsSince(database.db, 'a', now, () => {}));
  expect(new Set(reads).size).toBeGreaterThan(1);
  expect(await Promise.all(reads)).toEqual(reads.map(() => told));
  database.rows('UPDATE accounts SET balance = 5 RETURNING id');
  expect(await fundsSince(database.db, 'a', now, () => {})).toMatchObject({ remaining: 3, attainable: 7 });
  expect(await fundsSince(database.db, 'a', Date.now() + 1, () => {})).toMatchObject({ remaining: 5, attainable: 9 });
});
