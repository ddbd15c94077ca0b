import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hold } from '../ledger/hold.ts';
import { startEdge, type Customer, type Edge } from '../testing/edge.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { aroundBatch } from '../testing/worker/around-batch.ts';
import { settleLater, settlementsOf, settleNow, unsettled } from './settle.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

async function held(customer: Customer, credits: number): Promise<string> {
  const request = holdRequest(customer.keyHash, credits, { markUsed: true });
  await hold(db, request);
  return request.batchId;
}

/** The same database, with its trips counted. Settlements are grouped by database. */
function counting(): { readonly db: typeof db; readonly all: readonly (typeof db)[]; trips: () => number } {
  let trips = 0;
  const counted = aroundBatch(db, (send) => {
    trips += 1;
    return send();
  });
  return { db: counted, all: [counted], trips: () => trips };
}

it('batches that end within a moment are settled in one trip, each on its own terms', async () => {
  const line = counting();
  const customers = await Promise.all([edge.customer(10), edge.customer(10), edge.customer(10)]);
  const batches = await Promise.all(customers.map((customer) => held(customer, 4)));
  await Promise.all(batches.map((batchId, back) => settleLater(line, { batchId, back, accountId: 'any' })));
  expect(line.trips()).toBe(1);
  const balances = await Promise.all(customers.map(({ accountId }) => edge.money(accountId)));
  expect(balances.map(({ balance }) => balance)).toEqual([6, 7, 8]);
});

it('a settlement that D1 rejects does not hold up the others, and the operator is told', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const line = counting();
  const customer = await edge.customer(10);
  const batches = [await held(customer, 2), await held(customer, 2), await held(customer, 2)];
  const back = [1, 3, 2];
  await Promise.all(
    batches.map((batchId, at) => settleLater(line, { batchId, back: back[at] ?? 0, accountId: 'any' })),
  );
  const lines = told.mock.calls.map(([text]) => JSON.parse(String(text)));
  told.mockRestore();
  expect(lines).toMatchObject([{ event: 'settle_failed', requestId: batches[1] }]);
  expect((await edge.money(customer.accountId)).balance).toBe(4 + 1 + 2);
});

it('a second settlement of a batch is logged once and changes nothing', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const customer = await edge.customer(10);
  const batchId = await held(customer, 2);
  await settleNow({ db, all: [db] }, { batchId, back: 1 });
  await settleNow({ db, all: [db] }, { batchId, back: 2 });
  const lines = told.mock.calls.map(([text]) => JSON.parse(String(text)));
  told.mockRestore();
  expect(lines).toMatchObject([{ event: 'already_settled', requestId: batchId }]);
  expect((await edge.money(customer.accountId)).balance).toBe(9);
});

it('a caller waits for pending settlements of its own account, and of no other', async () => {
  const line = counting();
  const [one, other] = [await edge.customer(10), await edge.customer(10)];
  const batchId = await held(one, 4);
  const ended = settleLater(line, { batchId, back: 4, accountId: one.accountId });
  expect(await settlementsOf(unsettled(line.db), other.accountId)).toBe(false);
  expect(line.trips()).toBe(0);
  expect(await settlementsOf(unsettled(line.db), one.accountId)).toBe(true);
  expect((await edge.money(one.accountId)).balance).toBe(10);
  await ended;
  expect(await settlementsOf(unsettled(line.db), one.accountId)).toBe(false);
});

it('a caller that read D1 during a settlement learns that it has to read again', async () => {
  const line = counting();
  const customer = await edge.customer(10);
  const ended = settleLater(line, { batchId: await held(customer, 4), back: 4, accountId: customer.accountId });
  const before = unsettled(line.db);
  await ended;
  expect(await settlementsOf(before, customer.accountId)).toBe(true);
});

it('waiting does not hurry a settlement: an answer has time to go out before it is charged', async () => {
  const line = counting();
  const customer = await edge.customer(10);
  const batchId = await held(customer, 4);
  const startedMs = performance.now();
  const settledMs = settleLater(line, { batchId, back: 0, accountId: customer.accountId }).then(() =>
    performance.now(),
  );
  await settlementsOf(unsettled(line.db), customer.accountId);
  expect((await settledMs) - startedMs).toBeGreaterThanOrEqual(249);
});
