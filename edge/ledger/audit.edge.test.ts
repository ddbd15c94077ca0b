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

/** The accounts reported in this many turns, one turn a minute, two accounts each. */
async function named(turns: number): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let turn = 0; turn < turns; turn += 1)
    for (const { accountId } of await audit(db, turn * MINUTE_MS, 2)) found.add(accountId);
  return [...found];
}

describe('the audit', () => {
  it('reports within one round a balance that moved without a row, and a row that is gone', async () => {
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

  it('accepts an account that has no rows yet', async () => {
    const { accountId } = await edge.customer(0);
    expect((await audit(db, 0)).map((one) => one.accountId)).not.toContain(accountId);
  });
});
