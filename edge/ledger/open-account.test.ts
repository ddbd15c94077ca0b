import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Env } from '../base/env.ts';
import { type Config, readConfig } from '../base/config.ts';
import { databasesOf } from '../base/databases.ts';
import { SECRETS } from '../testing/edge.ts';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { correct } from './correct.ts';
import { giveGift } from './gift.ts';
import { grant } from './grant.ts';
import { openThere } from './open-account.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

const vars = { KEY_SECRETS: SECRETS.join(','), OPERATOR_KEYS: '{}', EDGE_SIGNING_KEY: JSON.stringify(makeKey()) };
type Database = ReturnType<typeof openTestDatabase>['db'];
/** An environment to look for databases in. */
const envSchema = z.custom<Env>(() => true);
const envOf = (bindings: object): Env => envSchema.parse(bindings);
const config = (count: number): Config => readConfig({ ...vars, LEDGER_DATABASES: String(count) });

test('a missing binding is named, and a single database needs none', () => {
  const { db } = openTestDatabase();
  expect(databasesOf({ env: envOf({ DB: db }), config: config(1) })).toEqual([db]);
  expect(() => databasesOf({ env: envOf({ DB: db, DB_2: db }), config: config(3) })).toThrow(
    'Worker variables missing or wrong: LEDGER_DATABASES, DB_1',
  );
});

test('an account is opened with its gift once, however often it is tried', async () => {
  const [directory, there] = [openTestDatabase(), openTestDatabase()];
  const home = { db: directory.db, all: [directory.db, there.db] };
  directory.put('accounts', { id: 'new', name: 'new', created_at: 0, database: 1, unopened: 5 });
  const opening = 'UPDATE accounts SET unopened = 5';
  for (let times = 0; times < 3; times += 1) {
    await openThere(home, 'new', directory.now());
    directory.rows(opening);
  }
  expect(there.rows('SELECT balance FROM accounts')).toEqual([{ balance: 5 }]);
  expect(there.rows('SELECT delta FROM ledger')).toEqual([{ delta: 5 }]);
  expect(directory.rows('SELECT balance FROM accounts')).toEqual([{ balance: 0 }]);
});

test.each<readonly [what: string, book: (db: Database) => Promise<unknown>]>([
  ['a purchase', (db) => grant(db, { accountId: 'there', purchaseId: 'p', credits: 5, nowMs: 0 })],
  ['a refund', (db) => correct(db, { accountId: 'there', correctionId: 'c', credits: 5 })],
  ['a gift', (db) => db.batch([...giveGift(db, { accountId: 'there', credits: 5, nowMs: 0 })])],
])('%s in the directory for an account in another database is refused, and leaves no row', async (_, book) => {
  const directory = openTestDatabase();
  directory.put('accounts', { id: 'there', name: '', created_at: 0, database: 1 });
  const before = directory.rows('SELECT * FROM accounts');
  await book(directory.db).catch((error: unknown) => expect(String(error)).toContain('credits_where_its_ledger_is'));
  expect(directory.rows('SELECT * FROM accounts')).toEqual(before);
  expect(directory.rows('SELECT * FROM ledger')).toEqual([]);
});
