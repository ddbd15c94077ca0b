import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Env } from '../base/env.ts';
import { type Config, readConfig } from '../base/config.ts';
import { databasesOf } from '../base/databases.ts';
import { SECRETS } from '../testing/edge.ts';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { openThere } from './open-account.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

const vars = { KEY_SECRETS: SECRETS.join(','), OPERATOR_KEYS: '{}', EDGE_SIGNING_KEY: JSON.stringify(makeKey()) };
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
  directory.put('accounts', { id: 'new', name: 'new', created_at: 0, elsewhere: 1, unopened: 5 });
  const opening = 'UPDATE accounts SET unopened = 5';
  for (let times = 0; times < 3; times += 1) {
    await openThere(home, 'new', directory.now());
    directory.rows(opening);
  }
  expect(there.rows('SELECT balance FROM accounts')).toEqual([{ balance: 5 }]);
  expect(there.rows('SELECT delta FROM ledger')).toEqual([{ delta: 5 }]);
  expect(directory.rows('SELECT balance FROM accounts')).toEqual([{ balance: 0 }]);
});
