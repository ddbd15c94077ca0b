import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnEdge, type Edge } from '../testing/edge.ts';
import { audit } from './audit.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startOwnEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

const ACCOUNTS = 5;
const MINUTE_MS = 60_000;

/** The accounts named in this many turns, one each minute, of two accounts each. */
async function named(turns: number): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let turn = 0; turn < turns; turn += 1)
    for (const { accountId } of await audit(db, turn * MINUTE_MS, 2)) found.add(accountId);
  return [...found];
}

describe('the audit', () => {
  it('names, within one round, the account of a balance that moved without a row, and of a row that is gone', async () => {
    const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => edge.customer(10)));
    const round = customers.length;
    expect(await named(round)).toEqual([]);
    for (const { accountId } of customers) {
      await db.prepare('UPDATE accounts SET balance = balance + 1 WHERE id = ?').bind(accountId).run();
      expect(await named(round)).toEqual([accountId]);
      await db.prepare('UPDATE accounts SET balance = balance - 1 WHERE id = ?').bind(accountId).run();
    }
    const [first] = customers;
    await db.prepare('DELETE FROM ledger WHERE account_id = ?').bind(first?.accountId).run();
    expect(await audit(db, 0)).toEqual([{ accountId: first?.accountId, balance: 10, sum: 0 }]);
  });

  it('finds nothing wrong with an account of which no row was written yet', async () => {
    const { accountId } = await edge.customer(0);
    expect((await audit(db, 0)).map((one) => one.accountId)).not.toContain(accountId);
  });
});
