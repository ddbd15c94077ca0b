import { beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/sqlite-d1.ts';
import { added } from './note-call.ts';
import { DROP_OLD_CALLS, keepCalls, readRings, type RingCall, type RingName } from './ring.ts';

const DAY_MS = 86_400_000;
const OWN: RingName = { account: 'acme', ring: 'own' };
const STRANGERS: RingName = { account: 'acme', ring: 'strangers' };

let database: TestDatabase;
beforeEach(() => void (database = openTestDatabase()));

const call = (id: string, change: Partial<RingCall> = {}): RingCall => ({
  at: database.now(),
  id,
  hint: 'k3Xq',
  status: 402,
  code: 'NO_CREDITS',
  entries: 3,
  ms: 12,
  times: 1,
  ...change,
});
const keep = async (name: RingName, ...calls: RingCall[]) => void (await keepCalls(database.db, name, calls).run());
const numbered = (count: number, change?: (n: number) => Partial<RingCall>): RingCall[] =>
  Array.from({ length: count }, (_, n) => call(`c${n}`, { at: database.now() + n, ...change?.(n) }));
const oddAndEven = (n: number) => (n % 2 === 0 ? { status: 402 } : { status: 400, code: 'INVALID_INPUT' });
const ids = async (ring: string): Promise<readonly string[]> =>
  (await readRings(database.db, 'acme')).filter((one) => one.ring === ring).map(({ id }) => id);

describe('a ring', () => {
  test('has the latest 200 calls of an account, newest first, as they were', async () => {
    const calls = numbered(250);
    for (let from = 0; from < 250; from += 50) await keep(OWN, ...calls.slice(from, from + 50));
    const found = await readRings(database.db, 'acme');
    expect(found).toEqual(
      calls
        .slice(50)
        .toReversed()
        .map((one) => ({ ring: 'own', ...one })),
    );
    expect(await readRings(database.db, 'other')).toEqual([]);
  });

  test('loses nothing to strangers, however many calls they make', async () => {
    await keep(OWN, call('mine'));
    for (let n = 0; n < 5; n += 1) await keep(STRANGERS, ...numbered(100, (m) => ({ id: `s${n}.${m}` })));
    expect([await ids('own'), (await ids('strangers')).length]).toEqual([['mine'], 200]);
  });

  test('has the calls beyond the rate limit once a minute, key and code, with their number', async () => {
    const refused = { status: 429, code: 'RATE_LIMITED' };
    const minute = Math.ceil(database.now() / 60_000) * 60_000;
    await keep(
      OWN,
      call('a', { ...refused, at: minute, times: 7 }),
      call('other', { ...refused, at: minute, hint: '9fQa' }),
    );
    await keep(
      OWN,
      call('b', { ...refused, at: minute + 59_000, times: 30 }),
      call('c', { ...refused, at: minute + 60_000 }),
    );
    const found = (await readRings(database.db, 'acme')).map(({ id, hint, times }) => [id, hint, times]);
    expect(found).toEqual([
      ['c', 'k3Xq', 1],
      ['b', 'k3Xq', 37],
      ['other', '9fQa', 1],
    ]);
  });

  test('is empty a week later, used or not', async () => {
    const day = async (): Promise<void> => {
      database.pass(DAY_MS);
      await database.db.batch(DROP_OLD_CALLS.map((sql) => database.db.prepare(sql)));
    };
    await keep(OWN, call('first'));
    await keep(STRANGERS, call('silent'));
    for (let n = 0; n < 3; n += 1) await day();
    await keep(OWN, call('later'));
    for (let n = 0; n < 4; n += 1) await day();
    expect([await ids('own'), await ids('strangers')]).toEqual([['later'], []]);
    expect(JSON.stringify(database.rows('SELECT * FROM call_rings'))).not.toMatch(/first|silent/);
    for (let n = 0; n < 3; n += 1) await day();
    expect(database.rows('SELECT * FROM call_rings')).toEqual([]);
  });
});

describe('the calls of one second', () => {
  test('are kept one by one while they are few, and counted if they are many', () => {
    const kept = numbered(1_000, oddAndEven).reduce<RingCall[]>(added, []);
    expect(kept.length).toBe(20);
    expect(kept.reduce((sum, { times }) => sum + times, 0)).toBe(1_000);
    expect(kept.at(-1)?.id).toBe('c999');
  });

  test('are bounded even if no two are alike', () => {
    expect(numbered(1_000, (n) => ({ hint: String(n) })).reduce<RingCall[]>(added, []).length).toBe(100);
  });

  test('beyond the rate limit are counted from the first', () => {
    const refused = numbered(3, () => ({ status: 429, code: 'RATE_LIMITED' }));
    expect(refused.reduce<RingCall[]>(added, [])).toEqual([{ ...refused[2], times: 3 }]);
  });
});
