import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnEdge, type Customer, type Edge } from '../testing/edge.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { audit } from './audit.ts';
import { newCallId } from '../base/call.ts';
import { closeBooks } from './close-books.ts';
import { grant } from './grant.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';
import { readStatement } from './statement.ts';
import { sweep } from './sweep.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startOwnEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

const DAY_MS = 86_400_000;
const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const dayAgo = (days: number): string => new Date(NOON_MS - days * DAY_MS).toISOString().slice(0, 10);

/** How long a batch lasted, given the days since its hold and since it was closed. */
const untilDaysAgo = (closed: number, held: number): number => Date.now() - closed * DAY_MS - (NOON_MS - held * DAY_MS);

/** A batch held this many days ago and, if `back` is a number, settled: a day later by default. */
async function oldBatch(
  customer: Customer,
  credits: number,
  back: number | null,
  daysOld: number,
  lastedMs = DAY_MS,
  batchId: string = randomUUID(),
): Promise<string> {
  await hold(db, holdRequest(customer.keyHash, credits, { batchId, markUsed: true }));
  if (back !== null) await settle(db, [{ batchId, back }]);
  const heldAt = NOON_MS - daysOld * DAY_MS;
  await db.batch([
    db
      .prepare(
        `UPDATE holds SET opened_at = ?2, expires_at = ?2 + 600000, closed_at = iif(closed_by IS NULL, NULL, ?3) WHERE id = ?1`,
      )
      .bind(batchId, heldAt, heldAt + lastedMs),
    db
      .prepare("UPDATE ledger SET at = iif(kind = 'hold', ?2, ?3) WHERE account_id = ?1 AND ref_id = ?4")
      .bind(customer.accountId, heldAt, heldAt + lastedMs, batchId),
  ]);
  return batchId;
}

async function statement(customer: Customer): Promise<ReadonlyArray<readonly [string, string, number]>> {
  const { rows } = await readStatement(db, customer.accountId, 500);
  return rows.filter(({ refId }) => refId !== 'first').map(({ refId, kind, delta }) => [refId, kind, delta]);
}

it('closing writes one row per account, kind and day, and leaves the balance unchanged', async () => {
  const customer = await edge.customer(100);
  const other = await edge.customer(100);
  for (const days of [40, 40, 39]) await oldBatch(customer, 5, 2, days);
  await oldBatch(other, 7, 0, 40);
  expect(await closeBooks(db)).toBe(4);
  expect(await statement(customer)).toEqual([
    [dayAgo(38), 'return', 2],
    [dayAgo(39), 'hold', -5],
    [dayAgo(39), 'return', 4],
    [dayAgo(40), 'hold', -10],
  ]);
  expect(await statement(other)).toEqual([[dayAgo(40), 'hold', -7]]);
  expect((await edge.money(customer.accountId)).balance).toBe(91);
  expect(await audit(db)).toEqual([]);
});

it('a hold and its rows stay for 7 days after it was closed, however long it was open', async () => {
  const customer = await edge.customer(100);
  const kept = await oldBatch(customer, 5, 0, 40, untilDaysAgo(6.9, 40));
  await oldBatch(customer, 6, 0, 40, untilDaysAgo(7.1, 40));
  expect(await closeBooks(db)).toBe(1);
  expect(await statement(customer)).toEqual(
    expect.arrayContaining([
      [kept, 'hold', -5],
      [dayAgo(40), 'hold', -6],
    ]),
  );
});

it('an old open hold stays, and can still be settled or swept', async () => {
  const customer = await edge.customer(100);
  const [late, lost] = [await oldBatch(customer, 5, null, 45), await oldBatch(customer, 8, null, 45)];
  expect(await closeBooks(db)).toBe(0);
  expect(await settle(db, [{ batchId: late, back: 2 }])).toEqual(new Set([late]));
  expect(await sweep(db)).toBe(1);
  expect(await closeBooks(db)).toBe(0);
  expect(await settle(db, [{ batchId: lost, back: 1 }])).toEqual(new Set());
  expect((await edge.money(customer.accountId)).balance).toBe(97);
});

it('no balance on a statement is below 0, for any mix of rows in a day', async () => {
  const customer = await edge.customer(10);
  for (let run = 0; run < 6; run += 1) await oldBatch(customer, 10, 10, 15, 1_000);
  await oldBatch(customer, 10, 0, 14);
  await closeBooks(db);
  await db.prepare("UPDATE ledger SET at = 1 WHERE account_id = ? AND ref_id = 'first'").bind(customer.accountId).run();
  const { rows } = await readStatement(db, customer.accountId, 500);
  expect(rows.map(({ balance }) => balance)).toEqual([0, 10, 70, 10]);
});

it('a turn is bounded, starts with the oldest, and skips holds that are still open', async () => {
  const customer = await edge.customer(100);
  await db.prepare('DELETE FROM holds').run();
  for (const id of ['b1', 'b2', 'b3', 'b4', 'b5']) await oldBatch(customer, 5, id === 'b2' ? null : 0, 20, DAY_MS, id);
  const left = async () =>
    (await db.prepare('SELECT id FROM holds ORDER BY id').all<{ id: string }>()).results.map(({ id }) => id);
  expect(await closeBooks(db, { holdsPerChunk: 2, chunks: 2 })).toBe(3);
  expect(await left()).toEqual(['b2', 'b5']);
  expect(await closeBooks(db, { holdsPerChunk: 2, chunks: 1 })).toBe(1);
  expect(await left()).toEqual(['b2']);
});

it('returns are dated at the start of their day and holds at the end', async () => {
  const customer = await edge.customer(100);
  await oldBatch(customer, 5, 2, 20, 1_000);
  await closeBooks(db);
  const { rows } = await readStatement(db, customer.accountId, 10);
  const day = Date.parse(`${dayAgo(20)}T00:00:00Z`);
  expect(rows.filter(({ refId }) => refId === dayAgo(20)).map(({ kind, at }) => [kind, at - day])).toEqual([
    ['hold', DAY_MS - 1],
    ['return', 0],
  ]);
});

it('a purchase under the id of a batch stays as it is', async () => {
  const customer = await edge.customer(100);
  const batchId = await oldBatch(customer, 5, 0, 20);
  await grant(db, { accountId: customer.accountId, purchaseId: batchId, credits: 7, nowMs: Date.now() });
  await closeBooks(db);
  expect(await statement(customer)).toEqual([
    [batchId, 'purchase', 7],
    [dayAgo(20), 'hold', -5],
  ]);
});

it('a turn stops at the first holds that are too young, however many there are', async () => {
  const customer = await edge.customer(100);
  for (let n = 0; n < 12; n += 1) await oldBatch(customer, 1, 0, 1, 0, newCallId(Date.now()));
  let looks = 0;
  const counting = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'prepare') looks += 1;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await closeBooks(db);
  await closeBooks(counting, { holdsPerChunk: 4, chunks: 25 });
  expect(looks).toBe(1);
});
