import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRANT_MAX } from '../../schema/admin.ts';
import { type Customer, type Edge, startEdge } from '../testing/edge.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { aroundBatch } from '../testing/worker/around-batch.ts';
import { readBalance } from './account.ts';
import { correct } from './correct.ts';
import { expiryOf } from './expiry.ts';
import { grant } from './grant.ts';
import { hold, proveKey } from './hold.ts';
import { settle } from './settle.ts';
import { sweep } from './sweep.ts';

// Bookings under an id, beside other accounts and ids, and during concurrent writes.

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

const holdFor = (customer: Customer, credits: number, batchId: string, lastsMs = 600_000) =>
  hold(db, holdRequest(customer.keyHash, credits, { batchId, markUsed: true, lastsMs }));
const ask = (customer: Customer, credits: number, addresses: number, maxInFlight: number) =>
  hold(db, holdRequest(customer.keyHash, credits, { addresses, maxInFlight }));
const buy = (customer: Customer, credits: number, purchaseId: string, nowMs = Date.now()) =>
  grant(db, { accountId: customer.accountId, purchaseId, credits, nowMs });
const takeAway = (customer: Customer, credits: number, correctionId: string) =>
  correct(db, { accountId: customer.accountId, correctionId, credits: -credits });
const expireAt = (customer: Customer, ms: number) =>
  db.prepare('UPDATE accounts SET expires_at = ? WHERE id = ?').bind(ms, customer.accountId).run();
const holdOf = (batchId: string) =>
  db.prepare('SELECT closed_by, returned FROM holds WHERE id = ?').bind(batchId).first();

/** D1, with something that happens right after its first batch, before the next. */
function thenOnce(then: () => Promise<unknown>): typeof db {
  let first = true;
  return aroundBatch(db, async (send) => {
    const answer = await send();
    if (first) {
      first = false;
      await then();
    }
    return answer;
  });
}

describe('hold', () => {
  it("refuses the id of another account's batch", async () => {
    const [customer, stranger] = [await edge.customer(5), await edge.customer(5)];
    const batchId = randomUUID();
    await holdFor(stranger, 2, batchId);
    for (const credits of [2, 5])
      await expect(holdFor(customer, credits, batchId)).rejects.toThrow('belongs to another account');
    expect((await edge.money(customer.accountId)).balance).toBe(5);
  });

  it('opens the batch if just enough credits arrive between the refusal and asking why', async () => {
    const customer = await edge.customer(1);
    const late = thenOnce(() => buy(customer, 2, 'late'));
    expect(await hold(late, holdRequest(customer.keyHash, 3))).toMatchObject({
      kind: 'held',
      accountId: customer.accountId,
    });
    expect((await edge.money(customer.accountId)).balance).toBe(0);
  });
});

describe('a refused hold', () => {
  it('reports what is in flight and attainable for this account alone', async () => {
    const [customer, stranger] = [await edge.customer(10), await edge.customer(10)];
    await holdFor(stranger, 5, randomUUID());
    expect(await ask(customer, 3, 3, 2)).toMatchObject({ kind: 'too_many_in_flight', inFlight: 0 });
    expect(await ask(customer, 11, 3, 0)).toMatchObject({ remaining: 10, attainable: 10 });
    const settled = randomUUID();
    await holdFor(customer, 4, settled);
    await settle(db, [{ batchId: settled, back: 1 }]);
    await holdFor(customer, 2, randomUUID());
    expect(await ask(customer, 3, 3, 4)).toMatchObject({ kind: 'too_many_in_flight', inFlight: 2 });
    expect(await ask(customer, 6, 3, 0)).toMatchObject({ remaining: 5, attainable: 7 });
    expect(await ask(customer, 6, 3, 5)).toMatchObject({ kind: 'too_few_credits' });
    expect(await ask(customer, 1, 1, 1)).toMatchObject({ kind: 'too_many_in_flight', inFlight: 2 });
    await expireAt(customer, 1);
    expect(await ask(customer, 1, 1, 0)).toMatchObject({ kind: 'too_few_credits', remaining: 0, attainable: 0 });
  });

  it('accepts a key until it expires', async () => {
    const customer = await edge.customer(10);
    const expireKeyAt = (ms: number) =>
      db.prepare('UPDATE api_keys SET expires_at = ? WHERE hash = ?').bind(ms, customer.keyHash).run();
    await expireKeyAt(Date.now() + 600_000);
    expect(await holdFor(customer, 1, randomUUID())).toMatchObject({ kind: 'held' });
    expect(await proveKey(db, customer.keyHash)).toMatchObject({ accountId: customer.accountId, remaining: 9 });
    await expireKeyAt(Date.now() - 1);
    expect(await holdFor(customer, 1, randomUUID())).toEqual({ kind: 'unknown_key' });
    expect(await proveKey(db, customer.keyHash)).toBeNull();
  });
});

describe("the name under which a key's use is counted", () => {
  it("is the key's id, or 'page' for the hidden key of a page", async () => {
    const customer = await edge.customer(10);
    const [batchId, ofPage] = [randomUUID(), randomUUID()];
    const key = db.prepare('SELECT id FROM api_keys WHERE hash = ?').bind(customer.keyHash);
    const id = await key.first('id');
    // Once when it is opened, and once when it is found open.
    for (let times = 0; times < 2; times += 1) expect(await holdFor(customer, 1, batchId)).toMatchObject({ keyId: id });
    await db.prepare("UPDATE api_keys SET kind = 'page' WHERE hash = ?").bind(customer.keyHash).run();
    for (let times = 0; times < 2; times += 1)
      expect(await holdFor(customer, 1, ofPage)).toMatchObject({ keyId: 'page' });
  });
});

describe('settle and sweep', () => {
  it('a batch settled while a sweep is about to close it stays closed by its settlement', async () => {
    const customer = await edge.customer(3);
    const batchId = randomUUID();
    await holdFor(customer, 3, batchId, -1_000);
    const late = aroundBatch(db, async (send) => {
      await settle(db, [{ batchId, back: 1 }]);
      return send();
    });
    expect(await sweep(late)).toBe(0);
    expect(await holdOf(batchId)).toEqual({ closed_by: 'settle', returned: 1 });
    expect((await edge.money(customer.accountId)).balance).toBe(1);
  });
});

describe('an id', () => {
  it('may be shared by a batch, a purchase and a correction', async () => {
    const customer = await edge.customer(9);
    const [bought, corrected] = [randomUUID(), randomUUID()];
    await holdFor(customer, 2, bought);
    await holdFor(customer, 3, corrected);
    expect(await buy(customer, 10, bought)).toMatchObject({ kind: 'granted', balance: 14 });
    expect(await takeAway(customer, 5, corrected)).toEqual({ kind: 'corrected', balance: 9 });
    await buy(customer, 1, 'of a batch to come');
    await holdFor(customer, 10, 'of a batch to come');
    expect((await edge.money(customer.accountId)).balance).toBe(0);
    await settle(db, [{ batchId: 'of a batch to come', back: 4 }]);
    expect((await edge.money(customer.accountId)).balance).toBe(4);
  });

  it('may be reused by another account', async () => {
    const [customer, stranger] = [await edge.customer(10), await edge.customer(20)];
    await expireAt(customer, 1);
    expect(await buy(customer, 50, 'same')).toMatchObject({ kind: 'granted', balance: 50, writtenOff: 10 });
    expect(await buy(stranger, 30, 'same')).toMatchObject({ kind: 'granted', balance: 50, writtenOff: 0 });
    expect(await takeAway(customer, 1, 'other')).toEqual({ kind: 'corrected', balance: 49 });
    expect(await takeAway(stranger, 2, 'other')).toEqual({ kind: 'corrected', balance: 48 });
  });
});

describe('a purchase', () => {
  it.each([
    ['at the moment of', 0, 10],
    ['a millisecond before', -1, 0],
  ])('%s the expiry writes off what has expired', async (_, offset, writtenOff) => {
    const customer = await edge.customer(10);
    const expiresAt = 1_700_000_000_000;
    await expireAt(customer, expiresAt);
    expect(await buy(customer, 5, 'p', expiresAt + offset)).toMatchObject({ writtenOff, balance: 15 - writtenOff });
  });

  it('never shortens the life of credits bought later', async () => {
    const customer = await edge.customer(0);
    const nowMs = Date.now();
    await buy(customer, 5, 'late', nowMs);
    expect(await buy(customer, 5, 'early', nowMs - 86_400_000)).toMatchObject({ expiresAt: expiryOf(nowMs) });
    expect((await readBalance(db, customer.accountId))?.expiresAt).toBe(expiryOf(nowMs));
  });

  it('is limited to a thousand million credits', async () => {
    const customer = await edge.customer(0);
    expect(await buy(customer, 1_000_000_000, 'p')).toMatchObject({ kind: 'granted', balance: 1_000_000_000 });
    await expect(buy(customer, GRANT_MAX + 1, 'q')).rejects.toThrow(RangeError);
    await expect(takeAway(customer, GRANT_MAX + 1, 'r')).rejects.toThrow(RangeError);
    expect(await takeAway(customer, 1, 's')).toMatchObject({ kind: 'corrected' });
  });
});
