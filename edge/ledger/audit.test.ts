import { beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { audit } from './audit.ts';
import { closeBooks } from './close-books.ts';

const DAY_MS = 86_400_000;
const FEW = { rows: 40, worthOf: 10 };

let database: TestDatabase;
beforeEach(() => void (database = openTestDatabase()));

/** An account with this many purchases of 1, one a second, the last of them a day ago. */
function account(id: string, rows: number): void {
  database.put('accounts', { id, name: '', created_at: 0, balance: rows });
  const at = database.now() - DAY_MS;
  for (let row = 1; row <= rows; row += 1)
    database.put('ledger', { account_id: id, ref_id: `p${row}`, kind: 'purchase', delta: 1, at: at - row * 1_000 });
}

/** The differences found in this many runs, one a minute. */
async function audited(runs: number): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (let number = 0; number < runs; number += 1) {
    for (const { accountId, difference } of await audit(database.db, FEW)) found[accountId] = difference;
    database.pass(60_000);
  }
  return found;
}

/** What one round finds, after this was changed. */
const then = async (sql: string): Promise<Readonly<Record<string, number>>> => {
  database.rows(sql);
  return audited(4);
};

test('within one round a balance that moved without a row is found, and a row without a balance, however many rows an account has', async () => {
  const rows = { 'a-none': 0, 'b-some': 30, 'c-many': 200, 'd-some': 39, 'e-filled': 40, 'f-last': 3 };
  for (const [id, count] of Object.entries(rows)) account(id, count);
  expect(await audited(30)).toEqual({});
  for (const id of Object.keys(rows)) {
    expect(await then(`UPDATE accounts SET balance = balance + 7 WHERE id = '${id}'`)).toEqual({ [id]: 7 });
    const row = (ref: string, delta: number): string =>
      `INSERT INTO ledger VALUES ('${id}', '${ref}', 'purchase', ${delta}, ${database.now()})`;
    expect(await then(row('late', 7))).toEqual({});
    expect(await then(row('later', 1))).toEqual({ [id]: -1 });
    expect(await then(`UPDATE accounts SET balance = balance + 1 WHERE id = '${id}'`)).toEqual({});
  }
});

test('a balance that moved is found at an account that books more in a round than a run reads', async () => {
  account('busy', 10);
  for (let other = 0; other < 40; other += 1) account(`other-${other}`, 9);
  const found: unknown[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    if (minute === 20) database.rows("UPDATE accounts SET balance = balance + 7 WHERE id = 'busy'");
    for (let row = 0; row < 8; row += 1) {
      const booked = {
        account_id: 'busy',
        ref_id: `new${minute}-${row}`,
        kind: 'purchase',
        delta: 1,
        at: database.now(),
      };
      database.put('ledger', booked);
    }
    database.rows("UPDATE accounts SET balance = balance + 8 WHERE id = 'busy'");
    found.push(...(await audit(database.db, FEW)));
    database.pass(60_000);
  }
  expect(found[0]).toEqual({ accountId: 'busy', difference: 7 });
});

test('an old row that is altered or gone is found once a week has passed', async () => {
  account('altered', 200);
  account('gone', 100);
  expect(await audited(20)).toEqual({});
  database.rows("UPDATE ledger SET delta = 5 WHERE account_id = 'altered' AND ref_id = 'p150'");
  database.rows("DELETE FROM ledger WHERE account_id = 'gone' AND ref_id = 'p50'");
  database.pass(7 * DAY_MS);
  expect(await audited(20)).toEqual({ altered: -4, gone: 1 });
});

test('rows of the moment at which a run looks are not missed by the next', async () => {
  account('busy', 30);
  for (let number = 0; number < 40; number += 1) {
    expect(await audit(database.db, FEW)).toEqual([]);
    // In the same millisecond as the run, and under ids before and after those that it saw.
    for (const ref of [`a${number}`, `z${number}`])
      database.put('ledger', { account_id: 'busy', ref_id: ref, kind: 'purchase', delta: 1, at: database.now() });
    database.rows("UPDATE accounts SET balance = balance + 2 WHERE id = 'busy'");
    database.pass(number % 3 === 0 ? 0 : 4_000);
  }
  expect(await audited(3)).toEqual({});
});

test('closing the books amid a look that takes several runs makes no difference', async () => {
  account('closing', 0);
  const old = database.now() - 8 * DAY_MS;
  for (let batch = 1; batch <= 80; batch += 1) {
    const [id, at] = [`b${String(batch).padStart(3, '0')}`, old + batch * 1_000];
    const closed = { expires_at: at, closed_by: 'settle', closed_at: at, returned: 2 };
    database.put('holds', { id, account_id: 'closing', credits: 3, opened_at: at, ...closed });
    database.put('ledger', { account_id: 'closing', ref_id: id, kind: 'hold', delta: -3, at });
    database.put('ledger', { account_id: 'closing', ref_id: id, kind: 'return', delta: 2, at });
  }
  database.put('ledger', { account_id: 'closing', ref_id: 'first', kind: 'purchase', delta: 100, at: old });
  database.rows("UPDATE accounts SET balance = 20 WHERE id = 'closing'");
  for (let number = 0; number < 12; number += 1) {
    expect(await audited(1)).toEqual({});
    await closeBooks(database.db, { holdsPerChunk: 15, chunks: 1 });
  }
  expect(database.rows('SELECT count(*) AS n FROM ledger')).toEqual([{ n: 3 }]);
  expect(await then("UPDATE accounts SET balance = 21 WHERE id = 'closing'")).toEqual({ closing: 1 });
});
