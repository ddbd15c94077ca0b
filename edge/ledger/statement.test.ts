import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { closeBooks } from './close-books.ts';
import { readStatement } from './statement.ts';

const DAY_MS = 86_400_000;
type Row = readonly [refId: string, kind: string, delta: number, at: number];

let database: TestDatabase;
beforeEach(() => {
  database = openTestDatabase();
});

/** An account with these rows, and with the balance that they add up to. */
function open(id: string, rows: readonly Row[]): void {
  database.put('accounts', { id, name: id, created_at: 0, balance: rows.reduce((sum, [, , delta]) => sum + delta, 0) });
  for (const [refId, kind, delta, at] of rows)
    database.put('ledger', { account_id: id, ref_id: refId, kind, delta, at });
}

/** All pages, one after the other. */
async function readAll(id: string, size: number): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  let before: string | undefined;
  do {
    const page = await readStatement(database.db, id, size, before);
    expect(page.rows.length).toBeLessThanOrEqual(size);
    seen.push(...page.rows.map(({ refId, kind, delta, at, balance }) => [refId, kind, delta, at, balance]));
    before = page.next ?? undefined;
  } while (before !== undefined);
  return seen;
}

const ROWS: readonly Row[] = [
  ['p1', 'purchase', 10, 1_000],
  ['b1', 'hold', -4, 2_000],
  ['b2', 'hold', -3, 2_000],
  ['b2', 'return', 3, 2_000],
  ['p2', 'expiry', -6, 3_000],
  ['p2', 'purchase', 5, 3_000],
];

describe('a statement', () => {
  it.each([1, 2, 3, 4, 6, 10])('lists every row once, newest first, in pages of %i', async (size) => {
    open('a', ROWS);
    open('other', ROWS);
    expect(await readAll('a', size)).toEqual([
      ['p2', 'purchase', 5, 3_000, 5],
      ['p2', 'expiry', -6, 3_000, 0],
      ['b2', 'return', 3, 2_000, 6],
      ['b2', 'hold', -3, 2_000, 3],
      ['b1', 'hold', -4, 2_000, 6],
      ['p1', 'purchase', 10, 1_000, 10],
    ]);
  });

  it('shows the running balance at each row, for any rows and pages', async () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 5 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), async (drawn, size) => {
        database = openTestDatabase();
        const booked = drawn.map(([credits, at, isIn], n): Row => [
          `r${n}`,
          isIn ? 'purchase' : 'hold',
          isIn ? credits : -credits,
          at,
        ]);
        // At last no balance is below 0.
        const rows: readonly Row[] = [...booked, ['zz', 'purchase', 270, 9]];
        open('a', rows);
        const sorted = rows.toSorted(([a, , , atA], [b, , , atB]) => atA - atB || (a < b ? -1 : 1));
        let balance = 0;
        const expected = sorted.map(([refId, kind, delta, at]) => [refId, kind, delta, at, (balance += delta)]);
        expect(await readAll('a', size)).toEqual(expected.toReversed());
      }),
      { numRuns: 40 },
    );
  });

  it('is empty for an account without rows and for an unknown account', async () => {
    open('a', []);
    for (const id of ['a', 'nobody']) expect(await readStatement(database.db, id, 5)).toEqual({ rows: [], next: null });
  });

  it('continues at its place while rows are booked', async () => {
    open('a', ROWS);
    const { next } = await readStatement(database.db, 'a', 2);
    database.put('ledger', { account_id: 'a', ref_id: 'p3', kind: 'purchase', delta: 100, at: 4_000 });
    database.rows("UPDATE accounts SET balance = balance + 100 WHERE id = 'a' RETURNING id");
    const { rows } = await readStatement(database.db, 'a', 1, next ?? '');
    expect(rows).toMatchObject([{ refId: 'b2', kind: 'return', balance: 6 }]);
  });

  it('rejects a place of another account, and one that does not exist', async () => {
    open('a', ROWS);
    open('other', [['p', 'purchase', 10, 500], ...ROWS.slice(1)]);
    for (const before of ['1000.purchase.0.0.p1', '2000.hold.7.0.b9', '2001.hold.7.0.b1'])
      await expect(readStatement(database.db, 'other', 1, before)).rejects.toMatchObject({ failure: 'CONFLICT' });
  });

  it.each(['', 'x', '1.hold.b1'])('rejects the place %j', async (before) => {
    open('a', ROWS);
    await expect(readStatement(database.db, 'a', 1, before)).rejects.toMatchObject({ failure: 'INVALID_INPUT' });
  });
});

/** Batches of one day, some of it returned. */
function openOld(daysAgo: number): void {
  const day = Math.floor(database.now() / DAY_MS - daysAgo) * DAY_MS;
  const rows: Row[] = [['p', 'purchase', 100, day - DAY_MS]];
  for (let n = 0; n < 4; n += 1)
    rows.push([`0${n}`, 'hold', -5, day + n * 1_000], [`0${n}`, 'return', 2, day + n * 1_000 + 500]);
  open('a', rows);
  for (let n = 0; n < 4; n += 1)
    database.put('holds', {
      id: `0${n}`,
      account_id: 'a',
      credits: 5,
      addresses: 5,
      opened_at: day,
      expires_at: day,
      closed_by: 'settle',
      closed_at: day,
      returned: 2,
    });
}

describe('a statement whose books are closed between two pages', () => {
  it.each([1, 4])('must be read from the start if the day of its place was closed (%i holds)', async (closed) => {
    openOld(10);
    const { next } = await readStatement(database.db, 'a', 3);
    expect(await closeBooks(database.db, { holdsPerChunk: closed, chunks: 1 })).toBe(closed);
    await expect(readStatement(database.db, 'a', 3, next ?? '')).rejects.toMatchObject({ failure: 'CONFLICT' });
    const balances = await readAll('a', 3);
    expect(balances[0]).toEqual(expect.arrayContaining([88]));
  });

  it('continues if the closed days are others', async () => {
    openOld(10);
    database.put('ledger', { account_id: 'a', ref_id: 'p9', kind: 'purchase', delta: 7, at: database.now() });
    database.rows("UPDATE accounts SET balance = balance + 7 WHERE id = 'a' RETURNING id");
    const { next } = await readStatement(database.db, 'a', 1);
    expect(await closeBooks(database.db)).toBe(4);
    const { rows } = await readStatement(database.db, 'a', 10, next ?? '');
    expect(rows.map(({ balance }) => balance)).toEqual([88, 108, 100]);
  });
});
