import { beforeEach, describe, expect, it } from 'vitest';
import { ALL, AttemptingAccount, endOf, LASTS_MS, places } from '../testing/attempting-account.ts';
import { hold } from './hold.ts';
import { settle } from './settle.ts';

// Requests with an Idempotency-Key, seen from the ledger, on the real tables.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START = 40;
const PLAIN = { keyHash: 'k', markUsed: false, addresses: 0, maxInFlight: 0, lastsMs: LASTS_MS };

let acme: AttemptingAccount;
beforeEach(() => {
  acme = new AttemptingAccount(START);
});

describe('a request with an Idempotency-Key', () => {
  it('takes nothing and writes no row if all of it was charged before, even with no credits', async () => {
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

  it('needs credits only for the uncharged elements, and says how many', async () => {
    acme = new AttemptingAccount(7);
    await acme.begin();
    await acme.answer(1, places(0, 1, 2, 3, 4));
    await hold(acme.db, { ...PLAIN, batchId: 'other', credits: 2 });
    expect(await acme.begin()).toMatchObject({ kind: 'too_few_credits', remaining: 0, needed: 1, attainable: 2 });
    await settle(acme.db, [{ batchId: 'other', back: 1 }]);
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 1 });
    expect(acme.key('attempts')).toEqual({ attempts: 2 });
  });

  it('is served ten times, then refused with the time until the key is forgotten', async () => {
    for (let n = 1; n <= 10; n += 1) {
      expect(await acme.begin()).toMatchObject({ kind: 'held' });
      await acme.answer(0, ALL);
      acme.database.pass(MINUTE_MS);
    }
    const leftMs = DAY_MS - 10 * MINUTE_MS;
    expect(await acme.begin()).toMatchObject({ kind: 'too_many_attempts', leftMs, charged: new Set(ALL) });
  });

  it("counts towards the account's addresses in flight, free or not", async () => {
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

  it('does not count towards another account, or after its time is over', async () => {
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

  it('charges what is billable now, if the operator changed that in between', async () => {
    await acme.begin({ billable: places(0, 2, 5) });
    await acme.answer(1, places(0, 2));
    expect(await acme.begin()).toMatchObject({ kind: 'held', credits: 4 });
    await acme.answer(4, places(0, 2));
    expect(await acme.begin({ billable: places(0, 2) })).toMatchObject({ kind: 'held', credits: 0 });
  });

  it('has its key to itself within its account, and is refused with an unknown API key', async () => {
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
