import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../testing/edge.ts';
import { readBalance, readLedger, readRefundDays } from './account.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';

// What operators read, each beside a stranger whose rows must not show.

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

type Row = readonly [refId: string, kind: string, delta: number, at: number];

/** An account with these rows, and with the balance that they add up to. */
async function accountWith(rows: readonly Row[]): Promise<string> {
  const { accountId } = await edge.customer(0);
  const balance = rows.reduce((sum, [, , delta]) => sum + delta, 0);
  await db.batch([
    db.prepare('UPDATE accounts SET balance = ? WHERE id = ?').bind(balance, accountId),
    ...rows.map((row) =>
      db
        .prepare('INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, ?, ?, ?, ?)')
        .bind(accountId, ...row),
    ),
  ]);
  return accountId;
}

describe('readBalance', () => {
  it('adds up what the open batches of this account hold, and counts them', async () => {
    const [customer, stranger] = [await edge.customer(10), await edge.customer(10)];
    const settled = randomUUID();
    for (const [who, credits, batchId] of [
      [customer, 1, settled],
      [customer, 2, randomUUID()],
      [customer, 4, randomUUID()],
      [stranger, 5, randomUUID()],
    ] as const)
      await hold(db, {
        batchId,
        keyHash: who.keyHash,
        markUsed: false,
        credits,
        addresses: credits,
        maxInFlight: 0,
        lastsMs: 600_000,
      });
    await settle(db, [{ batchId: settled, back: 0 }]);
    const expiresAt: unknown = expect.any(Number);
    expect(await readBalance(db, customer.accountId)).toEqual({
      credits: 3,
      balance: 3,
      expiresAt,
      held: 6,
      openBatches: 2,
    });
    expect(await readBalance(db, stranger.accountId)).toMatchObject({ balance: 5, held: 5, openBatches: 1 });
  });

  it('shows what has expired in the balance, and not among what may be spent', async () => {
    const { accountId } = await edge.customer(10);
    await db.prepare('UPDATE accounts SET expires_at = 1 WHERE id = ?').bind(accountId).run();
    expect(await readBalance(db, accountId)).toEqual({
      credits: 0,
      balance: 10,
      expiresAt: 1,
      held: 0,
      openBatches: 0,
    });
  });
});

describe('readLedger', () => {
  const ROWS: readonly Row[] = [
    ['p1', 'purchase', 10, 1_000],
    ['b1', 'hold', -4, 2_000],
    ['b2', 'hold', -3, 2_000],
    ['b2', 'return', 3, 2_000],
    ['p2', 'expiry', -6, 3_000],
    ['p2', 'purchase', 5, 3_000],
  ];
  const NEWEST_FIRST = [
    ['p2', 'purchase', 5, 3_000, 5],
    ['p2', 'expiry', -6, 3_000, 0],
    ['b2', 'return', 3, 2_000, 6],
    ['b2', 'hold', -3, 2_000, 3],
    ['b1', 'hold', -4, 2_000, 6],
    ['p1', 'purchase', 10, 1_000, 10],
  ];

  it.each([1, 2, 3, 4, 6, 10])('gives every row once, newest first, in pages of %i', async (size) => {
    const accountId = await accountWith(ROWS);
    await accountWith(ROWS);
    const seen: unknown[] = [];
    let page = await readLedger(db, accountId, size);
    while (page.length > 0) {
      expect(page.length).toBeLessThanOrEqual(size);
      seen.push(...page.map(({ refId, kind, delta, at, balance }) => [refId, kind, delta, at, balance]));
      page = await readLedger(db, accountId, size, page.at(-1) ?? null);
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });
});

describe('readRefundDays', () => {
  it('gives the latest days of this account, newest first', async () => {
    const [accountId, stranger] = [await accountWith([]), await accountWith([])];
    for (const [who, day, batches] of [
      [accountId, 100, 1],
      [accountId, 102, 3],
      [accountId, 101, 2],
      [stranger, 103, 9],
    ])
      await db
        .prepare('INSERT INTO refund_days (account_id, day, batches) VALUES (?, ?, ?)')
        .bind(who, day, batches)
        .run();
    const days = [
      { day: 102, batches: 3 },
      { day: 101, batches: 2 },
      { day: 100, batches: 1 },
    ];
    expect(await readRefundDays(db, accountId, 10)).toEqual(days);
    expect(await readRefundDays(db, accountId, 2)).toEqual(days.slice(0, 2));
  });
});
