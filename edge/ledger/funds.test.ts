import { beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { fundsSince } from './funds.ts';

let database: TestDatabase;
beforeEach(() => {
  database = openTestDatabase();
  const expiresAt = database.now() + 60_000;
  database.put('accounts', { id: 'a', name: 'a', created_at: 0, balance: 3, expires_at: expiresAt });
  database.put('holds', { id: 'h', account_id: 'a', credits: 4, addresses: 4, opened_at: 0, expires_at: expiresAt });
});

const told = { remaining: 3, attainable: 7 };

test("concurrent readers of an account's funds share reads, and see no older state than they asked for", async () => {
  const now = Date.now();
  const reads = Array.from({ length: 20 }, () => fundsSince(database.db, 'a', now, () => {}));
  expect(new Set(reads).size).toBeGreaterThan(1);
  expect(await Promise.all(reads)).toEqual(reads.map(() => told));
  database.rows('UPDATE accounts SET balance = 5 RETURNING id');
  expect(await fundsSince(database.db, 'a', now, () => {})).toMatchObject({ remaining: 3, attainable: 7 });
  expect(await fundsSince(database.db, 'a', Date.now() + 1, () => {})).toMatchObject({ remaining: 5, attainable: 9 });
});
