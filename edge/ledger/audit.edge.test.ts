import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnEdge, type Edge } from '../testing/edge.ts';
import { audit } from './audit.ts';
import { hold } from './hold.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startOwnEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

const ROWS = 400;
const TURN = { rowsPerChunk: 50, chunks: 3 };
/** Of a round, with two such accounts and some small ones. */
const TURNS = 6;

/** An account with hundreds of batches. */
async function busy(): Promise<string> {
  const { accountId } = await edge.customer(5_000);
  const rows = JSON.stringify(Array.from({ length: ROWS }, () => randomUUID()));
  await db.batch([
    db
      .prepare(
        "INSERT INTO ledger (account_id, ref_id, kind, delta, at) SELECT ?, value, 'hold', -3, 0 FROM json_each(?)",
      )
      .bind(accountId, rows),
    db.prepare('UPDATE accounts SET balance = balance - ? WHERE id = ?').bind(3 * ROWS, accountId),
  ]);
  return accountId;
}

async function turns(count: number): Promise<readonly string[]> {
  const named = new Set<string>();
  for (let turn = 0; turn < count; turn += 1) for (const { accountId } of await audit(db, TURN)) named.add(accountId);
  return [...named];
}

describe('the audit', { timeout: 120_000 }, () => {
  it('reads no more rows in a turn than it may, however long the ledger is', async () => {
    await busy();
    await turns(TURNS);
    const read: number[] = [];
    const counting = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
        return async (statements: Parameters<typeof db.batch>[0]) => {
          const results = await target.batch(statements);
          read.push(results.reduce((sum, result) => sum + result.meta.rows_read, 0));
          return results;
        };
      },
    });
    for (let turn = 0; turn < TURNS; turn += 1) await audit(counting, TURN);
    expect(read.length).toBeGreaterThan(TURNS);
    expect(Math.max(...read)).toBeLessThan(2 * TURN.rowsPerChunk);
  });

  it('names the account of a balance that moved without a row, in the next turn', async () => {
    const { accountId } = await edge.customer(10);
    await turns(2 * TURNS);
    await db.prepare('UPDATE accounts SET balance = balance + 1 WHERE id = ?').bind(accountId).run();
    expect(await turns(1)).toEqual([accountId]);
    await db.prepare('UPDATE accounts SET balance = balance - 1 WHERE id = ?').bind(accountId).run();
    expect(await turns(2 * TURNS)).toEqual([]);
  });

  it('names the account of a row that was changed, or is gone, within two rounds, and as long as it is so', async () => {
    const accountId = await busy();
    await turns(2 * TURNS);
    const last = 'SELECT max(ref_id) FROM ledger WHERE account_id = ?1';
    const [row] = (
      await db
        .prepare(`DELETE FROM ledger WHERE account_id = ?1 AND ref_id = (${last}) RETURNING *`)
        .bind(accountId)
        .all<{ ref_id: string; kind: string; delta: number }>()
    ).results;
    expect(await turns(2 * TURNS)).toEqual([accountId]);
    expect(await turns(TURNS)).toEqual([accountId]);
    await db
      .prepare('INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, ?, ?, ?, 0)')
      .bind(accountId, row?.ref_id, row?.kind, row?.delta)
      .run();
    await turns(2 * TURNS);
    expect(await turns(2 * TURNS)).toEqual([]);
  });

  it('finds nothing wrong with an account of which no row was written yet', async () => {
    const { accountId } = await edge.customer(0);
    expect(await turns(2 * TURNS)).not.toContain(accountId);
  });

  it('raises no alarm while an account of many rows is used', async () => {
    const { keyHash } = await edge.customer(1_000);
    const named: string[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const request = { keyHash, markUsed: false, credits: 1, addresses: 1, maxInFlight: 0, lastsMs: 600_000 };
      await Promise.all(Array.from({ length: 5 }, () => hold(db, { ...request, batchId: randomUUID() })));
      named.push(...(await turns(1)));
    }
    expect(named).toEqual([]);
  });

  it('may run twice at once', async () => {
    await Promise.all([audit(db, TURN), audit(db, TURN), audit(db, TURN)]);
    expect(await turns(2 * TURNS)).toEqual([]);
  });
});
