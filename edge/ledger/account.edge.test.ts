import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../testing/edge.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { readAccounts, readBalance } from './account.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';
import { DROP_OLD_USAGE, readUsage } from './usage.ts';

// What operators read, each time beside another account whose rows must not show up.

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

/** Adds an account with this id, unique to its test. */
async function add(id: string, credits: number, expiresAt: number, keys: number): Promise<void> {
  await db.batch([
    db
      .prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, ?, ?, 7)')
      .bind(id, `name of ${id}`, credits, expiresAt),
    // Other files of this process audit every account of the database.
    db
      .prepare("INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'first', 'purchase', ?, 7)")
      .bind(id, credits),
    ...Array.from({ length: keys }, (_, at) =>
      db
        .prepare("INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, '', '', 7)")
        .bind(`${id}-${at}`, `${id}-${at}`, id),
    ),
  ]);
}

describe('readBalance', () => {
  it('sums and counts the open batches of this account alone', async () => {
    const [customer, stranger] = [await edge.customer(10), await edge.customer(10)];
    const settled = randomUUID();
    for (const [who, credits, batchId] of [
      [customer, 1, settled],
      [customer, 2, randomUUID()],
      [customer, 4, randomUUID()],
      [stranger, 5, randomUUID()],
    ] as const)
      await hold(db, holdRequest(who.keyHash, credits, { batchId }));
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
});

describe('readAccounts', () => {
  it('lists the accounts after an id in id order, with spendable credits and their own key count', async () => {
    const later = Date.now() + 600_000;
    await add('z2', 20, later, 2);
    await add('z3', 30, 1, 0);
    await add('z1', 10, later, 1);
    const [z1, z2, z3] = (
      [
        ['z1', 10, later, 1],
        ['z2', 20, later, 2],
        ['z3', 0, 1, 0],
      ] as const
    ).map(([id, credits, expiresAt, keys]) => ({
      id,
      name: `name of ${id}`,
      createdAt: 7,
      credits,
      expiresAt,
      keys,
      people: 0,
      lastUsedDay: null,
    }));
    expect(await listed({ after: 'z', search: '', rows: 10 })).toEqual([z1, z2, z3]);
    expect(await listed({ after: 'z1', search: '', rows: 10 })).toEqual([z2, z3]);
    expect(await listed({ after: 'z', search: '', rows: 2 })).toEqual([z1, z2]);
  });
});

/** @returns a page of the only database's accounts */
const listed = async (page: { after: string; search: string; rows: number }) =>
  (await readAccounts({ db, all: [db] }, page)).rows;

/** By D1's clock. */
const dayNow = async (): Promise<number> => Number(await db.prepare('SELECT unixepoch() / 86400 AS day').first('day'));

async function openBatch(customer: Awaited<ReturnType<Edge['customer']>>, credits: number): Promise<string> {
  const request = holdRequest(customer.keyHash, credits);
  await hold(db, request);
  return request.batchId;
}

describe('usage', () => {
  const NOTHING = { valid: 0, risky: 0, invalid: 0, unknown: 0 };
  it('sums the results of settled batches by key, each batch once', async () => {
    const [customer, stranger] = [await edge.customer(100), await edge.customer(100)];
    const [one, two, other, uncounted, theirs] = [
      await openBatch(customer, 20),
      await openBatch(customer, 7),
      await openBatch(customer, 5),
      await openBatch(customer, 3),
      await openBatch(stranger, 9),
    ];
    const closed = await settle(db, [
      { batchId: one, back: 4, usage: { keyId: 'k1', valid: 5, risky: 2, invalid: 3, unknown: 6 } },
      { batchId: other, back: 0, usage: { ...NOTHING, keyId: 'k2', valid: 5 } },
      { batchId: uncounted, back: 3 },
      { batchId: theirs, back: 0, usage: { ...NOTHING, keyId: 'k1', valid: 9 } },
    ]);
    expect(closed).toEqual(new Set([one, other, uncounted, theirs]));
    for (let times = 0; times < 2; times += 1)
      await settle(db, [{ batchId: two, back: 2, usage: { keyId: 'k1', valid: 1, risky: 4, invalid: 1, unknown: 1 } }]);
    const day = await dayNow();
    expect(await readUsage(db, customer.accountId, 1)).toEqual([
      { day, keyId: 'k1', batches: 2, valid: 6, risky: 6, invalid: 4, unknown: 7, charged: 21, returned: 6 },
      { ...NOTHING, day, keyId: 'k2', batches: 1, valid: 5, charged: 5, returned: 0 },
    ]);
  });

  it('is kept for 400 days and read for as many days as requested, oldest first', async () => {
    const { accountId } = await edge.customer(0);
    const today = await dayNow();
    const days = [0, 1, 2, 400, 401].map((ago) => today - ago);
    await db.batch(
      days.map((day) =>
        db.prepare("INSERT INTO usage_days VALUES (?, ?, 'k', 1, 1, 0, 0, 0, 1, 0)").bind(accountId, day),
      ),
    );
    const read = async (asked: number) => (await readUsage(db, accountId, asked)).map(({ day }) => today - day);
    expect(await read(2)).toEqual([1, 0]);
    expect(await read(1_000)).toEqual([401, 400, 2, 1, 0]);
    await db.prepare(DROP_OLD_USAGE).run();
    expect(await read(1_000)).toEqual([400, 2, 1, 0]);
  });
});
