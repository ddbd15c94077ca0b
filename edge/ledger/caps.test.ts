import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { runs } from '../../schema/testing/fuzz.ts';
import { places } from '../testing/attempting-account.ts';
import { holdRequest } from '../testing/hold-request.ts';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { hold, type HoldAnswer } from './hold.ts';
import { settle } from './settle.ts';
import { sweep } from './sweep.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
/** A database in which acme has a thousand credits. */
function open(): TestDatabase {
  const fresh = openTestDatabase();
  const [created_at, at] = [fresh.now(), fresh.now()];
  fresh.put('accounts', { id: 'acme', name: '', balance: 1_000, expires_at: at + 999 * DAY_MS, created_at });
  fresh.put('ledger', { account_id: 'acme', ref_id: 'first', kind: 'purchase', delta: 1_000, at });
  return fresh;
}
beforeEach(() => {
  database = open();
});

const key = (id: string, caps: { readonly day_cap?: number; readonly month_cap?: number } = {}) =>
  database.put('api_keys', { hash: id, id, account_id: 'acme', label: `the ${id}`, hint: '', created_at: 0, ...caps });
const take = (keyHash: string, credits: number, batchId: string = randomUUID()): Promise<HoldAnswer> =>
  hold(database.db, holdRequest(keyHash, credits, { batchId, lastsMs: HOUR_MS }));
const end = (batchId: string, keyId: string, back: number) =>
  settle(database.db, [{ batchId, back, usage: { keyId, valid: 1, risky: 0, invalid: 0, unknown: 0 } }]);
/** A call from its hold to its settlement. */
async function spend(keyId: string, credits: number, back = 0): Promise<HoldAnswer['kind']> {
  const batchId = randomUUID();
  const { kind } = await take(keyId, credits, batchId);
  if (kind === 'held') await end(batchId, keyId, back);
  return kind;
}

describe('a cap by the day', () => {
  test('lets a key spend just as much, by batches under way and settled, and other keys what they like', async () => {
    key('a', { day_cap: 10 });
    key('b');
    expect([await spend('a', 6), await spend('a', 5), (await take('a', 4)).kind, await spend('a', 1)]).toEqual([
      'held',
      'capped',
      'held',
      'capped',
    ]);
    expect(await spend('b', 500)).toBe('held');
  });

  test('is free again by what is returned, settled or swept', async () => {
    key('a', { day_cap: 10 });
    expect([await spend('a', 10, 7), await spend('a', 8), await spend('a', 7, 7)]).toEqual(['held', 'capped', 'held']);
    await take('a', 7);
    expect((await take('a', 1)).kind).toBe('capped');
    database.pass(2 * HOUR_MS);
    await sweep(database.db);
    expect((await take('a', 7)).kind).toBe('held');
  });

  test('begins anew at midnight UTC; what is under way then counts for the day on which it is settled', async () => {
    key('a', { day_cap: 10 });
    await spend('a', 6);
    await take('a', 4, 'late');
    database.pass(12 * HOUR_MS);
    expect([(await take('a', 7)).kind, (await take('a', 6)).kind]).toEqual(['capped', 'held']);
    await end('late', 'a', 0);
    expect((await take('a', 1)).kind).toBe('capped');
  });

  test('is said with the key, what is left of it, and when it begins anew', async () => {
    key('a', { day_cap: 10, month_cap: 12 });
    await spend('a', 8);
    const cap = {
      label: 'the a',
      period: 'day',
      credits: 10,
      left: 2,
      resetsAt: Date.UTC(2026, 10, 23),
      attainable: 2,
    };
    expect(await take('a', 3)).toMatchObject({ kind: 'capped', needed: 3, cap });
    const longer = { period: 'month', credits: 12, left: 4, resetsAt: Date.UTC(2026, 11, 1) };
    expect(await take('a', 5)).toMatchObject({ cap: longer });
    expect(await take('a', 2_000)).toMatchObject({ kind: 'too_few_credits' });
  });
});

describe('a cap by the month', () => {
  test('counts from its first day to its last, in UTC', async () => {
    key('a', { month_cap: 10 });
    const days: string[] = [];
    for (let day = 0; day < 45; day += 1) {
      if ((await spend('a', 1)) === 'held') days.push(new Date(database.now()).toISOString().slice(5, 10));
      database.pass(DAY_MS);
    }
    expect([days.length, days[0], days[8], days[9], days[18]]).toEqual([24, '11-22', '11-30', '12-01', '12-10']);
    expect(days.at(-1)).toBe('01-05');
  });

  test('has all 31 days of a long month', async () => {
    key('a', { month_cap: 31 });
    // To 1 December.
    database.pass(9 * DAY_MS);
    for (let day = 0; day < 31; day += 1) {
      expect(await spend('a', 1)).toBe('held');
      if (day < 30) database.pass(DAY_MS);
    }
    expect(await spend('a', 1)).toBe('capped');
  });
});

test('a repeat under an Idempotency-Key counts once', async () => {
  key('a', { day_cap: 3 });
  const attempt = { bodyHash: 'b', list: null, billable: places(0, 1), elements: 2 };
  const ask = (batchId: string, keyHash = 'k') =>
    hold(database.db, holdRequest('a', 2, { batchId, attempt: { ...attempt, keyHash } }));
  expect((await ask('one')).kind).toBe('held');
  const ended = { account: { id: 'acme' }, keyHash: 'k', charged: '3', isVoid: false };
  const usage = { keyId: 'a', valid: 2, risky: 0, invalid: 0, unknown: 0 };
  await settle(database.db, [{ batchId: 'one', back: 0, usage, attempt: ended }]);
  expect(await ask('two')).toMatchObject({ kind: 'held', credits: 0 });
  expect([await spend('a', 2), await spend('a', 1)]).toEqual(['capped', 'held']);
  expect(await ask('x', 'other')).toMatchObject({ kind: 'capped', needed: 2, cap: { left: 0 } });
});

test('a hold that is repeated because its answer was lost counts once', async () => {
  key('a', { day_cap: 5 });
  for (let n = 0; n < 3; n += 1) expect(await take('a', 5, 'same')).toMatchObject({ kind: 'held', credits: 5 });
});

test('whatever is held, charged, returned and swept, no day and no month has more than its cap', async () => {
  const step = fc.record({
    kind: fc.constantFrom('take', 'end', 'end', 'sweep', 'pass'),
    credits: fc.integer({ min: 1, max: 6 }),
    hours: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      database = open();
      key('a', { day_cap: 9, month_cap: 20 });
      const held: (readonly [id: string, credits: number])[] = [];
      for (const { kind, credits, hours } of steps) {
        if (kind === 'pass') database.pass(hours * HOUR_MS);
        if (kind === 'sweep') await sweep(database.db);
        if (kind === 'take') {
          const id = randomUUID();
          if ((await take('a', credits, id)).kind === 'held') held.push([id, credits]);
        }
        const ended = kind === 'end' ? held.shift() : undefined;
        if (ended !== undefined) await end(ended[0], 'a', Math.min(ended[1], credits - 1));
        const spent = database
          .rows('SELECT day, charged FROM usage_days')
          .map(({ day, charged }) => [Number(day), Number(charged)] as const);
        const months = new Map<string, number>();
        for (const [day, charged] of spent) {
          expect(charged).toBeLessThanOrEqual(9);
          const month = new Date(day * DAY_MS).toISOString().slice(0, 7);
          months.set(month, (months.get(month) ?? 0) + charged);
        }
        expect(Math.max(0, ...months.values())).toBeLessThanOrEqual(20);
      }
    }),
    { numRuns: runs(200) },
  );
});
