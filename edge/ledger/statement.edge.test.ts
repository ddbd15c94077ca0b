import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEdge, type Edge } from '../testing/edge.ts';
import { readBatches } from './explain.ts';
import { readStatement } from './statement.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.stop());

const ROWS = 20_000;

/** What D1 reads for a page and what explains its rows, as it counts (and charges for) it. */
async function rowsRead(accountId: string, limit: number, before?: string): Promise<number> {
  const db = await edge.db();
  let read = 0;
  const counting = new Proxy(db, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name, target);
      return (text: string) => ({
        bind: (...values: unknown[]) => ({
          all: async () => {
            const found = await target
              .prepare(text)
              .bind(...values)
              .all();
            read += found.meta.rows_read;
            return found;
          },
        }),
      });
    },
  });
  const { rows } = await readStatement(counting, accountId, limit, before);
  const batches = await readBatches(
    counting,
    accountId,
    rows.map(({ refId }) => refId),
  );
  expect(new Set([...batches.values()].map(({ list }) => list))).toEqual(new Set(['a list']));
  return read;
}

it('a page reads its own rows, at both ends of a long ledger', async () => {
  const { accountId } = await edge.customer(0);
  const db = await edge.db();
  await db
    .prepare(
      `INSERT INTO ledger (account_id, ref_id, kind, delta, at)
       WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2)
       SELECT ?1, printf('%08d', value), 'hold', -1, value FROM n`,
    )
    .bind(accountId, ROWS)
    .run();
  await db
    .prepare(
      `INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at, closed_by, closed_at, returned, list)
       SELECT ref_id, account_id, 1, 1, at, at, 'settle', at, 0, 'a list' FROM ledger WHERE account_id = ?`,
    )
    .bind(accountId)
    .run();
  const oldest = `50.hold.0.0.${String(50).padStart(8, '0')}`;
  for (const limit of [1, 10, 100])
    for (const before of [undefined, oldest])
      expect(await rowsRead(accountId, limit, before)).toBeLessThanOrEqual(6 * limit + 12);
});
