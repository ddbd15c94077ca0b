import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../local/miniflare.ts';
import { startEdge, type Edge } from '../testing/edge.ts';
import { readBalance } from './account.ts';
import { audit } from './audit.ts';
import { closeBooks } from './close-books.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';
import { sweep } from './sweep.ts';

// A database of the first migration with money in it, brought up to the present one.

const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations/', import.meta.url));
const FIRST = '0000_init.sql';
const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'";

let edge: Edge;
let folder: string;
beforeAll(async () => {
  edge = await startEdge();
  folder = await mkdtemp(join(tmpdir(), 'rcpt-migrations-'));
  await mkdir(folder, { recursive: true });
  await cp(join(MIGRATIONS, FIRST), join(folder, FIRST));
});
afterAll(async () => {
  await edge.stop();
  await rm(folder, { recursive: true });
});

it('a database of the first migration goes on, adds up, and is closed like any other', async () => {
  const db = await edge.db();
  const tables = (await db.prepare(TABLES).all<{ name: string }>()).results;
  const drops = ['PRAGMA defer_foreign_keys = on', ...tables.map(({ name }) => `DROP TABLE ${name}`)];
  await db.batch(drops.map((text) => db.prepare(text)));
  expect(await migrate(db, folder)).toEqual([FIRST]);
  const soon = Date.now() + 3_600_000;
  await db.batch(
    [
      `INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES ('a', 'A', 83, ${soon}, 0)`,
      "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES ('k', 'k', 'a', '', '', 0)",
      "INSERT INTO holds VALUES ('closed', 'a', 10, 1000, 2000, 'settle', 4)",
      `INSERT INTO holds VALUES ('open', 'a', 5, ${soon - 1000}, ${soon}, NULL, NULL)`,
      "INSERT INTO holds VALUES ('due', 'a', 6, 1000, 2000, NULL, NULL)",
      "INSERT INTO ledger VALUES ('a', 'p', 'purchase', 100, 500)",
      "INSERT INTO ledger VALUES ('a', 'closed', 'hold', -10, 1000)",
      "INSERT INTO ledger VALUES ('a', 'closed', 'return', 4, 1500)",
      "INSERT INTO ledger VALUES ('a', 'open', 'hold', -5, 1000)",
      "INSERT INTO ledger VALUES ('a', 'due', 'hold', -6, 1000)",
    ].map((text) => db.prepare(text)),
  );
  // Others that never had a key: one got a gift alone, one a gift and an operator's grant.
  await db.batch(
    ['gifted', 'granted'].flatMap((id) => [
      db
        .prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, 5, 0, 0)')
        .bind(id, id),
      db.prepare("INSERT INTO ledger VALUES (?, 'welcome', 'purchase', 5, 500)").bind(id),
    ]),
  );
  await db.batch(
    [
      "INSERT INTO ledger VALUES ('granted', 'op-1', 'purchase', 7, 600)",
      "UPDATE accounts SET balance = 12 WHERE id = 'granted'",
    ].map((text) => db.prepare(text)),
  );
  const all = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  expect(await migrate(db)).toEqual(all.toSorted().slice(1));

  expect(await audit(db)).toEqual([]);
  const request = { batchId: 'new', keyHash: 'k', markUsed: true, credits: 2, addresses: 2, lastsMs: 60_000 };
  expect(await hold(db, { ...request, maxInFlight: 12 })).toMatchObject({ kind: 'too_many_in_flight', inFlight: 11 });
  expect(await hold(db, { ...request, maxInFlight: 13 })).toMatchObject({ kind: 'held', accountClass: 'bought' });
  expect(await sweep(db)).toBe(1);
  expect(await settle(db, [{ batchId: 'open', back: 5 }])).toEqual(new Set(['open']));
  expect(await closeBooks(db)).toBe(1);
  expect(await audit(db)).toEqual([]);
  expect(await readBalance(db, 'a')).toMatchObject({ balance: 92, held: 2 });
  const classes = await db.prepare('SELECT id, has_bought AS bought FROM accounts ORDER BY id').all();
  expect(classes.results).toEqual([
    { id: 'a', bought: 1 },
    { id: 'gifted', bought: 0 },
    { id: 'granted', bought: 1 },
  ]);
  const rows = await db.prepare("SELECT kind, delta FROM ledger WHERE ref_id = '1970-01-01' ORDER BY kind").all();
  expect(rows.results).toEqual([
    { kind: 'hold', delta: -10 },
    { kind: 'return', delta: 4 },
  ]);
});
