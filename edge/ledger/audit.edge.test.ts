import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rowsOf } from '../local/database.ts';
import { startOwnEdge, type Edge } from '../testing/edge.ts';
import { audit, type AuditBounds } from './audit.ts';
import { closeBooks } from './close-books.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startOwnEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());
beforeEach(() =>
  db.batch(['checked_books', 'ledger', 'holds', 'accounts'].map((table) => run(`DELETE FROM ${table}`))),
);

const DAY_MS = 86_400_000;
const FEW: AuditBounds = { rows: 40, worthOf: 10 };

const run = (sql: string) => db.prepare(sql);

/** An account with this many purchases of 1, one a second, the last of them a day ago. */
async function account(id: string, rows: number): Promise<string> {
  await db.batch([
    run(`INSERT INTO accounts (id, name, created_at, balance) VALUES ('${id}', '', 0, ${rows})`),
    run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
         INSERT INTO ledger SELECT '${id}', printf('p%09d', i), 'purchase', 1, ${Date.now() - DAY_MS} - i * 1000 FROM n
          WHERE i <= ${rows}`),
  ]);
  return id;
}

/** The differences found in this many runs. */
async function audited(runs: number, bounds: AuditBounds = FEW) {
  const found: Record<string, number> = {};
  for (let number = 0; number < runs; number += 1)
    for (const { accountId, difference } of await audit(db, bounds)) found[accountId] = difference;
  return found;
}

it('within one round the audit finds a balance that moved without a row and a row without a balance, however many rows an account has', async () => {
  await account('a-none', 0);
  for (const [id, rows] of [
    ['b-some', 30],
    ['c-many', 200],
    ['d-some', 39],
    ['e-last', 3],
  ] as const)
    await account(id, rows);
  expect(await audited(20)).toEqual({});
  for (const id of ['a-none', 'b-some', 'c-many', 'd-some', 'e-last']) {
    await run(`UPDATE accounts SET balance = balance + 7 WHERE id = '${id}'`).run();
    expect(await audited(4)).toEqual({ [id]: 7 });
    await run(`INSERT INTO ledger VALUES ('${id}', 'late', 'purchase', 7, ${Date.now()})`).run();
    expect(await audited(4)).toEqual({});
    await run(`INSERT INTO ledger VALUES ('${id}', 'later', 'purchase', 1, ${Date.now()})`).run();
    expect(await audited(4)).toEqual({ [id]: -1 });
    await run(`UPDATE accounts SET balance = balance + 1 WHERE id = '${id}'`).run();
  }
});

it('an old row that is altered or gone is found once a week has passed', async () => {
  await account('f-altered', 200);
  await account('g-gone', 100);
  expect(await audited(20)).toEqual({});
  await db.batch([
    run("UPDATE ledger SET delta = 5 WHERE account_id = 'f-altered' AND ref_id = 'p000000150'"),
    run("DELETE FROM ledger WHERE account_id = 'g-gone' AND ref_id = 'p000000050'"),
    run(`UPDATE checked_books SET since = since - ${7 * DAY_MS}`),
  ]);
  expect(await audited(20)).toEqual({ 'f-altered': -4, 'g-gone': 1 });
});

it('closing the books amid a look that takes several runs makes no difference', async () => {
  const old = Date.now() - 8 * DAY_MS;
  await account('h-closing', 100);
  await db.batch([
    run("UPDATE accounts SET balance = 20 WHERE id = 'h-closing'"),
    run(`UPDATE ledger SET at = at - ${20 * DAY_MS} WHERE account_id = 'h-closing'`),
    run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80)
         INSERT INTO holds (id, account_id, credits, opened_at, expires_at, closed_by, closed_at, returned)
         SELECT printf('b%03d', i), 'h-closing', 3, ${old} + i * 1000, ${old}, 'settle', ${old} + i * 1000, 2 FROM n`),
    run(`INSERT INTO ledger SELECT account_id, id, 'hold', -3, opened_at FROM holds WHERE account_id = 'h-closing'`),
    run(`INSERT INTO ledger SELECT account_id, id, 'return', 2, opened_at FROM holds WHERE account_id = 'h-closing'`),
  ]);
  for (let number = 0; number < 12; number += 1) {
    expect(await audited(1)).toEqual({});
    await closeBooks(db, { holdsPerChunk: 15, chunks: 1 });
  }
  expect(await run("SELECT through > 0, difference FROM checked_books WHERE account_id = 'h-closing'").raw()).toEqual([
    [1, 0],
  ]);
  await run("UPDATE accounts SET balance = 21 WHERE id = 'h-closing'").run();
  expect(await audited(2)).toEqual({ 'h-closing': 1 });
});

it('a run reads at most 20,000 rows, of few accounts with many rows and of many without, and none twice in a week', async () => {
  await account('i-huge', 50_000);
  await run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
             INSERT INTO accounts (id, name, created_at) SELECT printf('j%05d', i), '', 0 FROM n`).run();
  const read: number[] = [];
  for (let number = 0; number < 20; number += 1)
    read.push((await rowsOf(db, async () => expect(await audit(db)).toEqual([]))).read);
  expect(Math.max(...read)).toBeGreaterThan(12_000);
  expect(Math.max(...read)).toBeLessThanOrEqual(20_000);
  // Nothing has changed since: what was read is not read again.
  await run("DELETE FROM checked_books WHERE account_id LIKE 'j%'").run();
  await run("DELETE FROM accounts WHERE id LIKE 'j%'").run();
  expect((await rowsOf(db, () => audited(3, undefined))).read).toBeLessThan(1_000);
});
