import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../local/database.ts';
import { startEdge, type Customer, type Edge } from '../testing/edge.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { readBalance } from './account.ts';
import { audit } from './audit.ts';
import { closeBooks } from './close-books.ts';
import { correct } from './correct.ts';
import { expiryOf } from './expiry.ts';
import { grant } from './grant.ts';
import { slotIndex } from '../base/indexes.ts';
import { hold, proveKey } from './hold.ts';
import { settle } from './settle.ts';
import { readStatement } from './statement.ts';
import { sweep } from './sweep.ts';

let edge: Edge;
let db: Awaited<ReturnType<Edge['db']>>;
beforeAll(async () => {
  edge = await startEdge();
  db = await edge.db();
});
afterAll(() => edge.stop());

const LONG_MS = 600_000;
const holdFor = (customer: Customer, credits: number, batchId: string = randomUUID(), lastsMs = LONG_MS) =>
  hold(db, holdRequest(customer.keyHash, credits, { batchId, markUsed: true, lastsMs }));
const buy = (customer: Customer, credits: number, purchaseId: string = randomUUID(), nowMs = Date.now()) =>
  grant(db, { accountId: customer.accountId, purchaseId, credits, nowMs });
const takeAway = (customer: Customer, credits: number, correctionId: string) =>
  correct(db, { accountId: customer.accountId, correctionId, credits: -credits });
const written = async (run: () => Promise<unknown>) => (await rowsOf(db, run)).written;
const expire = (customer: Customer) =>
  db.prepare('UPDATE accounts SET expires_at = 1 WHERE id = ?').bind(customer.accountId).run();

describe('hold', () => {
  it('takes all or nothing, and says what remains', async () => {
    const customer = await edge.customer(5);
    expect(await holdFor(customer, 5)).toMatchObject({ kind: 'held', accountId: customer.accountId });
    expect(await holdFor(customer, 1)).toMatchObject({ kind: 'too_few_credits', remaining: 0, attainable: 5 });
    expect(await holdFor({ ...customer, keyHash: 'none' }, 1)).toEqual({ kind: 'unknown_key' });
  });

  it('charges a batch once however often it is repeated, before and after its settlement', async () => {
    const customer = await edge.customer(10);
    const batchId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => holdFor(customer, 4, batchId)));
    expect(answers.every((answer) => answer.kind === 'held')).toBe(true);
    await settle(db, [{ batchId, back: 1 }]);
    await holdFor(customer, 4, batchId);
    expect(await edge.money(customer.accountId)).toEqual({
      balance: 7,
      rows: [
        ['hold', -4],
        ['return', 1],
      ],
    });
  });

  it('an Idempotency-Key costs two more rows per hold, one per settlement, one per repeat', async () => {
    const customer = await edge.customer(10);
    await proveKey(db, customer.keyHash);
    const { accountId, keyHash } = customer;
    const ofKey = { keyHash: 'key', bodyHash: 'body', list: 'a list', elements: 2 };
    const rows = [];
    for (const [place, bits] of ['1', '3'].entries()) {
      const billable = [0, 1].map(slotIndex);
      const request = holdRequest(keyHash, 2, { attempt: { ...ofKey, billable } });
      rows.push(await written(() => hold(db, request)));
      const attempt = { account: { id: accountId }, keyHash: 'key', charged: bits, isVoid: false };
      rows.push(await written(() => settle(db, [{ batchId: request.batchId, back: 1 - place, attempt }])));
    }
    expect(rows).toEqual([7, 5, 7, 2]);
  });

  it('records the day on which its key was used', async () => {
    const customer = await edge.customer(1);
    const day = (): Promise<unknown> =>
      db.prepare('SELECT last_used_day FROM api_keys WHERE hash = ?').bind(customer.keyHash).first('last_used_day');
    expect(await day()).toBe(0);
    await holdFor(customer, 1);
    expect(await day()).toBe(Math.floor(Date.now() / 86_400_000));
  });
});

describe('settle', () => {
  it('returns credits once, even if settlement and sweep run at the same time', async () => {
    const customer = await edge.customer(40);
    const batches = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const batchId = randomUUID();
        await holdFor(customer, 2, batchId, -1_000);
        return batchId;
      }),
    );
    await Promise.all([
      ...batches.flatMap((batchId) => [settle(db, [{ batchId, back: 1 }]), settle(db, [{ batchId, back: 1 }])]),
      ...Array.from({ length: 5 }, () => sweep(db)),
    ]);
    const { balance, rows } = await edge.money(customer.accountId);
    const back = rows.filter(([kind]) => kind === 'return');
    expect(back).toHaveLength(20);
    expect(back.every(([, credits]) => credits === 1 || credits === 2)).toBe(true);
    expect(balance).toBe(back.reduce((sum, [, credits]) => sum + credits, 0));
  });

  it('rejects a return above the hold, and changes nothing', async () => {
    const customer = await edge.customer(3);
    const batchId = randomUUID();
    await holdFor(customer, 2, batchId);
    await expect(settle(db, [{ batchId, back: 3 }])).rejects.toThrow('returned_within_hold');
    await expect(settle(db, [{ batchId, back: -1 }])).rejects.toThrow('returned_within_hold');
    expect(await edge.money(customer.accountId)).toEqual({ balance: 1, rows: [['hold', -2]] });
    expect(await settle(db, [{ batchId, back: 2 }])).toEqual(new Set([batchId]));
  });

  it('returns to the current balance after the key was deleted, credits expired and more were bought', async () => {
    const customer = await edge.customer(10);
    const batchId = randomUUID();
    await holdFor(customer, 4, batchId);
    await db.prepare('DELETE FROM api_keys WHERE hash = ?').bind(customer.keyHash).run();
    await expire(customer);
    expect(await buy(customer, 100)).toMatchObject({ kind: 'granted', balance: 100, writtenOff: 6 });
    await settle(db, [{ batchId, back: 3 }]);
    expect((await edge.money(customer.accountId)).balance).toBe(103);
  });
});

describe('sweep', () => {
  it('returns more holds than fit in one round', async () => {
    const customer = await edge.customer(0);
    await db
      .prepare(
        `INSERT INTO holds (id, account_id, credits, opened_at, expires_at)
         SELECT value, ?1, 1, 0, 1 FROM json_each(?2)`,
      )
      .bind(customer.accountId, JSON.stringify(Array.from({ length: 1_200 }, (_, i) => `many-${i}`)))
      .run();
    expect(await sweep(db)).toBe(1_200);
    expect((await edge.money(customer.accountId)).balance).toBe(1_200);
  });
});

describe('grant', () => {
  it('adds credits that last for 12 months, once per purchase id', async () => {
    const customer = await edge.customer(0);
    const nowMs = Date.now();
    const expiresAt = expiryOf(nowMs);
    expect(await buy(customer, 50, 'p1', nowMs)).toEqual({ kind: 'granted', balance: 50, expiresAt, writtenOff: 0 });
    expect(await buy(customer, 50, 'p1', nowMs + 5_000)).toEqual({
      kind: 'repeated',
      balance: 50,
      expiresAt,
      writtenOff: 0,
    });
    expect(await buy(customer, 60, 'p1', nowMs)).toEqual({ kind: 'conflict', credits: 50 });
    expect(await buy(customer, 7, 'p2', nowMs + 1_000)).toMatchObject({ kind: 'granted', balance: 57 });
    expect((await readBalance(db, customer.accountId))?.expiresAt).toBe(expiryOf(nowMs + 1_000));
  });

  it('writes off expired credits once, even if the purchase is repeated', async () => {
    const customer = await edge.customer(10);
    await expire(customer);
    expect((await proveKey(db, customer.keyHash))?.remaining).toBe(0);
    await buy(customer, 50, 'p1');
    expect(await buy(customer, 50, 'p1')).toMatchObject({ kind: 'repeated', balance: 50, writtenOff: 10 });
    const { balance, rows } = await edge.money(customer.accountId);
    expect(balance).toBe(50);
    expect(rows).toEqual([
      ['expiry', -10],
      ['purchase', 50],
    ]);
    expect(await audit(db)).toEqual([]);
  });

  it('rejects unknown accounts, and credits that are not a positive whole number', async () => {
    const nobody = { accountId: 'nobody', key: '', keyHash: '' };
    expect(await buy(nobody, 1)).toEqual({ kind: 'unknown_account' });
    for (const credits of [0, -1, 1.5, Number.NaN, 1e10])
      await expect(buy(nobody, credits)).rejects.toThrow(RangeError);
  });
});

describe('correct', () => {
  it('takes credits away once per id, and never below 0', async () => {
    const customer = await edge.customer(10);
    expect(await takeAway(customer, 4, 'c1')).toEqual({ kind: 'corrected', balance: 6 });
    expect(await takeAway(customer, 4, 'c1')).toEqual({ kind: 'repeated', balance: 6 });
    expect(await takeAway(customer, 5, 'c1')).toEqual({ kind: 'conflict', credits: -4 });
    expect(await takeAway(customer, 7, 'c2')).toEqual({ kind: 'too_few_credits', balance: 6 });
    expect(await takeAway(customer, 6, 'c2')).toEqual({ kind: 'corrected', balance: 0 });
    expect(await takeAway({ ...customer, accountId: 'nobody' }, 1, 'c1')).toEqual({ kind: 'unknown_account' });
    expect((await edge.money(customer.accountId)).rows).toEqual(
      expect.arrayContaining([
        ['correction', -4],
        ['correction', -6],
      ]),
    );
  });
});

describe('an account', () => {
  it('is protected by the schema from a negative balance, a wrong sign and text as an amount', async () => {
    const { accountId } = await edge.customer(1);
    const row = "INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'x', ?, ?, 0)";
    await expect(db.prepare('UPDATE accounts SET balance = -1 WHERE id = ?').bind(accountId).run()).rejects.toThrow();
    await expect(db.prepare(row).bind(accountId, 'purchase', -1).run()).rejects.toThrow('delta_has_its_sign');
    await expect(db.prepare(row).bind(accountId, 'hold', 1).run()).rejects.toThrow('delta_has_its_sign');
    await expect(db.prepare(row).bind(accountId, 'return', 'many').run()).rejects.toThrow();
  });
});

/** The database, recording the text of each statement. */
function keeping(texts: Set<string>): typeof db {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (text: string) => {
        texts.add(text);
        return target.prepare(text);
      };
    },
  });
}

describe('statements', () => {
  it('contain no join that SQLite replans when values are bound: see `keyIsValid`', async () => {
    const texts = new Set<string>();
    const request = holdRequest('none', 1, { markUsed: true, maxInFlight: 9, lastsMs: 1 });
    await proveKey(keeping(texts), 'none');
    await hold(keeping(texts), request);
    await settle(keeping(texts), [{ batchId: request.batchId, back: 1 }]);
    const joins = [...texts].filter((text) => /\bJOIN\b|UPDATE[^]*\bFROM\b/.test(text));
    expect(joins.length).toBeGreaterThan(4);
    for (const text of joins) expect(text).not.toMatch(/\w = \?\d/);
  });

  it('never scan a whole table of money', async () => {
    const texts = new Set<string>();
    const recording = keeping(texts);
    const customer = await edge.customer(10);
    const batchId = randomUUID();
    await proveKey(recording, customer.keyHash);
    await hold(recording, holdRequest(customer.keyHash, 2, { batchId, markUsed: true, maxInFlight: 9, lastsMs: -1 }));
    await holdFor(customer, 1, randomUUID(), -1_000);
    await sweep(recording);
    await settle(recording, [{ batchId, back: 1 }]);
    await grant(recording, { accountId: customer.accountId, purchaseId: 'p', credits: 1, nowMs: 0 });
    await correct(recording, { accountId: customer.accountId, correctionId: 'c', credits: 1 });
    await readBalance(recording, customer.accountId);
    const { next } = await readStatement(recording, customer.accountId, 1);
    await readStatement(recording, customer.accountId, 1, next ?? '');
    await db.prepare('UPDATE holds SET closed_at = 0 WHERE id = ?').bind(batchId).run();
    expect(await closeBooks(recording)).toBe(1);
    await audit(recording);
    expect(texts.size).toBeGreaterThan(25);
    for (const text of texts) {
      const plan = await db
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(
          ...Array.from(
            { length: Math.max(0, ...[...text.matchAll(/\?(\d)/g)].map((match) => Number(match[1]))) },
            () => '[]',
          ),
        )
        .all<{ detail: string }>();
      const scans = plan.results.filter(({ detail }) =>
        /^SCAN (?!json_each|r\b|moved\b|seen\b|cut\b|\(|CONSTANT)/.test(detail),
      );
      // The index of open holds contains only open ones: a sweep reads through it. The accounts table has one row per
      // customer.
      const isSmall = /holds_open|VIRTUAL TABLE|SCAN a(ccounts)?$/;
      expect(
        scans.filter(({ detail }) => !isSmall.test(detail)),
        text,
      ).toEqual([]);
    }
  });
});
