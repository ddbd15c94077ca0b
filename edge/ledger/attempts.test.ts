import { beforeEach, describe, expect, it } from 'vitest';
import { ALL, AttemptingAccount, endOf, LASTS_MS, places } from '../testing/attempting-account.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';
import { dropOldIdempotencyKeys } from './settle-attempt.ts';
import { sweep } from './sweep.ts';

// Requests with an Idempotency-Key, as the ledger sees them, on the real tables.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START = 40;
const PLAIN = { keyHash: 'k', markUsed: false, addresses: 0, maxInFlight: 0, lastsMs: LASTS_MS };

let acme: AttemptingAccount;
beforeEach(() => {
  acme = new AttemptingAccount(START);
});

describe('a request with an Idempotency-Key', () => {
  it('that is repeated holds what was not charged yet, and says what was', async () => {
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 6, charged: new Set() });
    await acme.answer(2, places(0, 1, 2, 3));
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 2, charged: new Set([0, 1, 2, 3]) });
    await acme.answer(0, ALL);
    expect(acme.balance).toBe(START - 6);
    expect(acme.key('charged, attempts')).toEqual({ charged: 'f3', attempts: 2 });
  });

  it('all of which was charged takes nothing, of an empty account too, and writes no row of the ledger', async () => {
    acme = new AttemptingAccount(6);
    await acme.begin();
    await acme.answer(0, ALL);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 0, charged: new Set(ALL) });
    expect(await settle(acme.db, [{ batchId: 'batch-2', back: 0, attempt: endOf(ALL) }])).toEqual(new Set(['batch-2']));
    expect(acme.balance).toBe(0);
    expect(acme.database.rows('SELECT ref_id AS ref FROM ledger ORDER BY ref')).toEqual([
      { ref: 'batch-1' },
      { ref: 'first' },
    ]);
  });

  it('needs credits for the rest only, and says how many', async () => {
    acme = new AttemptingAccount(7);
    await acme.begin();
    await acme.answer(1, places(0, 1, 2, 3, 4));
    await hold(acme.db, { ...PLAIN, batchId: 'other', credits: 2 });
    expect(await acme.begin()).toMatchObject({ kind: 'too_few_credits', remaining: 0, needed: 1, attainable: 2 });
    await settle(acme.db, [{ batchId: 'other', back: 1 }]);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 1 });
    expect(acme.key('attempts')).toEqual({ attempts: 2 });
  });

  it('is refused with another body, and by its key alone', async () => {
    await acme.begin();
    expect(await acme.begin({ body: 'other' })).toMatchObject({ kind: 'another_body' });
    await acme.answer(0, ALL);
    expect(await acme.begin({ body: 'other' })).toMatchObject({ kind: 'another_body' });
    expect(await acme.begin({ key: 'next', body: 'other' })).toMatchObject({ kind: 'held', credits: 6 });
  });

  it('is refused while another one has its key: until that is settled, or swept', async () => {
    await acme.begin();
    acme.database.pass(5_000);
    expect(await acme.begin()).toMatchObject({ kind: 'in_progress', ageMs: 5_000 });
    acme.database.pass(LASTS_MS);
    // Its time is over, but it could still be settled.
    expect(await acme.begin()).toMatchObject({ kind: 'in_progress' });
    expect(await sweep(acme.db)).toBe(1);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 6, charged: new Set() });
    expect(acme.balance).toBe(START - 6);
  });

  it('that costs nothing any more has its key until it is answered, or its time is over', async () => {
    await acme.begin();
    await acme.answer(0, ALL);
    await acme.begin();
    acme.database.pass(7_000);
    expect(await acme.begin()).toMatchObject({ kind: 'in_progress', ageMs: 7_000 });
    acme.database.pass(LASTS_MS);
    const lost = acme.nextBatch();
    expect(await acme.begin({ batchId: lost })).toMatchObject({ kind: 'held', credits: 0 });
    await acme.answer(0, ALL, lost);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 0 });
  });

  it('whose hold was swept was charged for nothing, though it is settled afterwards', async () => {
    await acme.begin();
    acme.database.pass(LASTS_MS + 1);
    await sweep(acme.db);
    expect(await acme.answer(0, ALL)).toEqual(new Set());
    expect(acme.key('charged')).toEqual({ charged: '00' });
    expect(acme.balance).toBe(START);
    await acme.begin();
    expect(await acme.answer(0, ALL, 'batch-1')).toEqual(new Set());
    expect(await acme.begin()).toMatchObject({ kind: 'in_progress' });
  });

  it('that is settled twice, because an answer of D1 was lost, is charged once', async () => {
    await acme.begin();
    await acme.answer(3, places(0, 1, 2));
    expect(await acme.answer(0, ALL)).toEqual(new Set());
    expect(acme.key('charged')).toEqual({ charged: '70' });
    expect(acme.balance).toBe(START - 3);
  });

  it('that D1 is told twice is one attempt, whether it costs something or not', async () => {
    const first = await acme.begin({ batchId: 'batch-1' });
    expect(await acme.begin({ batchId: 'batch-1' })).toEqual(first);
    await acme.answer(0, ALL, 'batch-1');
    const free = await acme.begin({ batchId: 'batch-2' });
    expect(await acme.begin({ batchId: 'batch-2' })).toEqual(free);
    expect(acme.key('attempts')).toEqual({ attempts: 2 });
    expect(acme.balance).toBe(START - 6);
  });

  it('is served ten times, and then said for how long not', async () => {
    for (let n = 1; n <= 10; n += 1) {
      expect(await acme.begin()).toMatchObject({ kind: 'held' });
      await acme.answer(0, ALL);
      acme.database.pass(MINUTE_MS);
    }
    const leftMs = DAY_MS - 10 * MINUTE_MS;
    expect(await acme.begin()).toMatchObject({ kind: 'too_many_attempts', leftMs, charged: new Set(ALL) });
  });

  it('is not counted if it failed on our side, or its Worker died', async () => {
    for (let n = 1; n <= 15; n += 1) {
      expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 6 });
      if (n % 2 === 0) await settle(acme.db, [{ batchId: `batch-${n}`, back: 'all', attempt: endOf(null) }]);
      else {
        acme.database.pass(LASTS_MS + 1);
        await sweep(acme.db);
      }
    }
    await acme.begin();
    await acme.answer(0, ALL);
    expect(acme.key('attempts')).toEqual({ attempts: 1 });
    for (let n = 1; n <= 15; n += 1) {
      expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 0 });
      acme.database.pass(LASTS_MS + 1);
    }
    expect(acme.balance).toBe(START - 6);
  });

  it('is a new one after a day, dropped by then or not', async () => {
    await acme.begin();
    await acme.answer(0, ALL);
    acme.database.pass(DAY_MS - 1);
    await dropOldIdempotencyKeys(acme.db);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 0 });
    await acme.answer(0, ALL);
    acme.database.pass(1);
    expect(await acme.begin({ body: 'other' })).toMatchObject({ kind: 'held', credits: 6 });
    expect(acme.key('attempts, charged, body_hash')).toEqual({ attempts: 1, charged: '00', body_hash: 'other' });
    await acme.answer(0, ALL);
    acme.database.pass(DAY_MS);
    await dropOldIdempotencyKeys(acme.db);
    expect(acme.key('*')).toBeUndefined();
  });

  it('is counted with all that is under way of its account, free or not', async () => {
    await acme.begin();
    await acme.answer(0, ALL);
    expect(await acme.begin({ maxInFlight: 6 })).toMatchObject({ kind: 'held', credits: 0 });
    expect(await acme.begin({ key: 'b', billable: places(0, 1), maxInFlight: 7 })).toMatchObject({
      kind: 'too_many_in_flight',
      inFlight: 6,
    });
    const plain = { ...PLAIN, batchId: 'plain', credits: 1, addresses: 2 };
    expect(await hold(acme.db, { ...plain, maxInFlight: 7 })).toMatchObject({
      kind: 'too_many_in_flight',
      inFlight: 6,
    });
    expect(await hold(acme.db, { ...plain, maxInFlight: 8 })).toMatchObject({ kind: 'held' });
    await acme.answer(0, ALL, 'batch-2');
    expect(await acme.begin({ maxInFlight: 7 })).toMatchObject({ kind: 'too_many_in_flight', inFlight: 2 });
  });

  it('is not counted if it is of another account, or its time is over', async () => {
    await acme.begin();
    await acme.answer(0, ALL);
    await acme.begin();
    const plain = { ...PLAIN, batchId: 'plain', credits: 1, addresses: 2, maxInFlight: 2 };
    acme.database.put('accounts', { id: 'other', name: '', created_at: 0, balance: 9, expires_at: 9e15 });
    acme.database.put('api_keys', { hash: 'o', id: 'o', account_id: 'other', label: '', hint: '', created_at: 0 });
    expect(await hold(acme.db, { ...plain, keyHash: 'o' })).toMatchObject({ kind: 'held' });
    acme.database.pass(LASTS_MS + 1);
    expect(await hold(acme.db, { ...plain, batchId: 'later' })).toMatchObject({ kind: 'held' });
  });

  it('charges for what costs by now, if the operator has changed what does', async () => {
    await acme.begin({ billable: places(0, 2, 5) });
    await acme.answer(1, places(0, 2));
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 4 });
    await acme.answer(4, places(0, 2));
    expect(await acme.begin({ billable: places(0, 2) })).toMatchObject({ kind: 'held', credits: 0 });
  });

  it('costs one statement more in the trip that holds, one in the trip that settles, and no trip', async () => {
    await hold(acme.db, { ...PLAIN, batchId: 'plain', credits: 2 });
    await settle(acme.db, [{ batchId: 'plain', back: 1 }]);
    await acme.begin();
    await acme.answer(1, places(0, 1, 2, 3, 4));
    await acme.begin();
    await acme.answer(0, ALL);
    await acme.begin();
    await acme.answer(0, ALL);
    expect(acme.sent).toEqual([3, 4, 4, 5, 4, 2, 4, 2]);
  });

  it('of another account is another one, and of a key that does not stand is none', async () => {
    await acme.begin();
    const [whose, keyHash] = ['other', 'their key'];
    acme.database.put('accounts', { id: whose, name: whose, created_at: 0, balance: 0 });
    acme.database.put('api_keys', {
      hash: keyHash,
      id: keyHash,
      account_id: whose,
      label: '',
      hint: '',
      created_at: 0,
    });
    const request = {
      ...PLAIN,
      batchId: 'theirs',
      credits: 0,
      attempt: { keyHash: 'key', bodyHash: 'other', list: null, billable: [], elements: 6 },
    };
    expect(await hold(acme.db, { ...request, keyHash })).toMatchObject({ accountId: whose });
    expect(await hold(acme.db, { ...request, keyHash: 'none' })).toEqual({ kind: 'unknown_key' });
    expect(await acme.begin()).toMatchObject({ kind: 'in_progress' });
  });
});
