import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../local/database.ts';
import { startOwnEdge, type Edge } from '../testing/edge.ts';
import { audit } from './audit.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

const n = (most: number): string => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most})`;

it('a run reads at most 20,000 rows, of few accounts with many rows and of many without, and none twice in a week', async () => {
  const db = await edge.db();
  await db.batch([
    db.prepare("INSERT INTO accounts (id, name, created_at, balance) VALUES ('huge', '', 0, 50000)"),
    db.prepare(`INSERT INTO ledger ${n(50_000)} SELECT 'huge', printf('p%05d', i), 'purchase', 1, i FROM n`),
    db.prepare(`INSERT INTO accounts (id, name, created_at) ${n(9_000)} SELECT printf('j%05d', i), '', 0 FROM n`),
  ]);
  const read: number[] = [];
  for (let number = 0; number < 20; number += 1)
    read.push((await rowsOf(db, async () => expect(await audit(db)).toEqual([]))).read);
  expect(Math.max(...read)).toBeGreaterThan(12_000);
  expect(Math.max(...read)).toBeLessThanOrEqual(20_000);
  // Nothing has changed since: what was read is not read again.
  await db.batch(
    ['checked_books', 'accounts'].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE ${table === 'accounts' ? 'id' : 'account_id'} LIKE 'j%'`),
    ),
  );
  for (let number = 0; number < 14; number += 1) await audit(db);
  expect((await rowsOf(db, () => audit(db))).read).toBeLessThan(300);
});
