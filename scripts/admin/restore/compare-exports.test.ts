import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareExports } from './compare-exports.ts';

const MIGRATIONS = new URL('../../../schema/migrations/', import.meta.url);
const TABLES = readdirSync(MIGRATIONS)
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
  .map((file) => readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  .join('\n');

const key = (id: string) =>
  `INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES ('hash of ${id}', '${id}', 'acme', '', '', 1);`;
const host = (id: string, state: string, publicKey = 'k') =>
  `INSERT INTO hosts VALUES ('${id}', '${publicKey}', '${state}', 1);`;
const person = (id: string) => `INSERT INTO people (id, email, created_at) VALUES ('${id}', '${id}@example.com', 1);`;
const order = (id: string, state: string) =>
  `INSERT INTO orders (id, account_id, credits, amount, currency, state, created_at, asked_at, paid_at) VALUES ('${id}', 'acme', 1, 1, 'eur', '${state}', 1, 1, ${state === 'paid' ? 1 : null});`;
const optOut = (hash: string) => `INSERT INTO opt_outs VALUES ('${hash}', 1);`;
const purchase = (id: string) => `INSERT INTO ledger VALUES ('acme', '${id}', 'purchase', 500, 1);`;
const dump = (...rows: readonly string[]): string =>
  [TABLES, `INSERT INTO accounts (id, name, created_at) VALUES ('acme', 'Acme', 1);`, ...rows].join('\n');

test('tells what came back that had been deleted, and what was lost that had been made', () => {
  const before = dump(
    key('kept'),
    key('new'),
    host('fra-1', 'removed'),
    host('fra-2', 'active'),
    host('fra-3', 'active', 'another key'),
    optOut('hash of a domain'),
    order('ord-1', 'paid'),
    purchase('first'),
    purchase('second'),
  );
  const after = dump(
    key('kept'),
    key('deleted'),
    host('fra-1', 'active'),
    host('fra-2', 'active'),
    host('fra-3', 'active'),
    person('ann'),
    order('ord-1', 'open'),
    purchase('first'),
  );
  expect(compareExports(before, after).map(({ what, ids }) => [what, ids])).toEqual([
    ['API keys that were deleted and work again', ['deleted']],
    ['API keys that were made since and are gone', ['new']],
    ['hosts that were removed or drained and may serve again', ['fra-1']],
    ['hosts that joined since and are refused, or have another key', ['fra-3']],
    ['domains that opted out since and would be probed, by hash', ['hash of a domain']],
    ['people who had deleted themselves and are back', ['ann']],
    ['orders that were paid since and are not booked', ['ord-1']],
    ['purchases and corrections that are gone, as account and id', ['acme second 500']],
  ]);
});

test('finds nothing between two equal exports, and refuses what is none', () => {
  const same = dump(key('kept'), host('fra-1', 'active'));
  expect(compareExports(same, same)).toEqual([]);
  expect(() => compareExports(same, 'not SQL')).toThrow();
  expect(() => compareExports('', same)).toThrow();
});
