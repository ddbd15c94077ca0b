import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lackOf } from '../../../../schema/shares.ts';
import { InvalidRecipients } from './invalid-recipients.ts';

const HOUR_MS = 3_600_000;
const bought = (account: number) => ({ account, accountClass: 'bought' }) as const;
const free = (account: number) => ({ account, accountClass: 'free' }) as const;

/** An account names as many as it may. */
function exhaust(
  invalid: InvalidRecipients,
  account: number,
  now = 0,
  of: typeof bought | typeof free = bought,
): number {
  let count = 0;
  for (; invalid.left(of(account), now) > 0; count += 1) invalid.count(of(account), now);
  return count;
}

test.each([
  [1, [50]],
  [2, [50, 25]],
  [3, [50, 25, 13]],
])('of %i accounts that come one after the other each has half of what is left', (accounts, had) => {
  const invalid = new InvalidRecipients(100);
  expect(Array.from({ length: accounts }, (_, account) => exhaust(invalid, account))).toEqual(had);
});

test('two accounts that come together have a third each', () => {
  const invalid = new InvalidRecipients(99);
  for (let turn = 0; turn < 99; turn += 1)
    if (invalid.left(bought(turn % 2), 0) > 0) invalid.count(bought(turn % 2), 0);
  expect([invalid.size, invalid.left(bought(0), 0), invalid.left(bought(1), 0), invalid.left(bought(2), 0)]).toEqual([
    66, 0, 0, 17,
  ]);
});

test('an account that has named nobody may name somebody until the hourly limit is used up, no matter what others did', () => {
  const calls = fc.array(fc.record({ account: fc.nat(20), pauseMs: fc.nat(60_000) }), { maxLength: 400 });
  fc.assert(
    fc.property(calls, (made) => {
      const invalid = new InvalidRecipients(30);
      let now = 0;
      for (const { account, pauseMs } of made) {
        now += pauseMs;
        if (invalid.left(bought(account), now) > 0) invalid.count(bought(account), now);
        expect(invalid.size).toBeLessThanOrEqual(30);
        if (invalid.size < 30) expect(invalid.left(bought(99), now)).toBeGreaterThan(0);
      }
    }),
  );
});

test('the wait that is told is long enough, and no longer than it must be', () => {
  const pauses = fc.array(fc.nat(200_000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(pauses, fc.nat(2), (waits, account) => {
      const invalid = new InvalidRecipients(20);
      let now = 0;
      for (const [i, pauseMs] of waits.entries()) {
        now += pauseMs;
        if (invalid.left(bought(i % 3), now) > 0) invalid.count(bought(i % 3), now);
      }
      const waitMs = invalid.left(bought(account), now) > 0 ? 0 : invalid.waitMs(bought(account), now);
      if (waitMs > 0) expect(invalid.left(bought(account), now + waitMs - 1)).toBe(0);
      expect(invalid.left(bought(account), now + waitMs)).toBeGreaterThan(0);
    }),
  );
});

test('of one who has had more than its share as many must be forgotten as are too many', () => {
  const invalid = new InvalidRecipients(10);
  for (let at = 0; at < 5; at += 1) invalid.count(bought(1), at);
  invalid.count(bought(2), 10);
  invalid.count(bought(2), 10);
  expect(invalid.waitMs(bought(1), 10)).toBe(HOUR_MS + 1 - 10);
});

test('a recipient that the gateway knew does not count, even if other accounts have named others since', () => {
  const invalid = new InvalidRecipients(10);
  for (const account of [1, 2, 1, 2, 2]) invalid.count(bought(account), 0);
  invalid.uncount(bought(1));
  expect([invalid.size, invalid.left(bought(1), 0), invalid.left(bought(2), 0)]).toEqual([4, 3, 2]);
  invalid.uncount(bought(7));
  expect(invalid.size).toBe(4);
});

test('a hundred thousand accounts leave no more behind than the hour allows, and nothing after it', () => {
  const invalid = new InvalidRecipients(1_000);
  for (let account = 0; account < 100_000; account += 1) exhaust(invalid, account);
  expect(invalid.size).toBe(1_000);
  expect([invalid.isForgettable(HOUR_MS - 1), invalid.isForgettable(HOUR_MS)]).toEqual([false, true]);
  expect(invalid.left(bought(5), HOUR_MS)).toBe(500);
  expect(invalid.size).toBe(0);
});

test('a clock that jumps back holds nobody up for longer than an hour more, one that jumps ahead forgets', () => {
  const invalid = new InvalidRecipients(10);
  exhaust(invalid, 1, 10 * HOUR_MS);
  expect(invalid.left(bought(1), 9 * HOUR_MS)).toBe(0);
  expect(invalid.waitMs(bought(1), 10 * HOUR_MS)).toBe(HOUR_MS);
  expect(invalid.left(bought(1), 100 * HOUR_MS)).toBe(5);
});

test('eight free accounts that name all they may leave half of the hour to accounts that bought', () => {
  const invalid = new InvalidRecipients(5_000);
  let ofFree = 0;
  for (let account = 1; account <= 8; account += 1) ofFree += exhaust(invalid, account, 0, free);
  expect(ofFree).toBeGreaterThan(2_480);
  expect(ofFree).toBeLessThanOrEqual(2_500);
  expect(invalid.left(bought(9), 0)).toBe(1_250 + Math.ceil((2_500 - ofFree) / 2));
  expect(invalid.waitMs(bought(9), 0)).toBe(0);
  for (let account = 10; account <= 13; account += 1) exhaust(invalid, account, 0, bought);
  expect(invalid.left(bought(14), 0)).toBeGreaterThan(70);
});

test('an account may name somebody exactly if the rule of all shares allows it', () => {
  const calls = fc.array(fc.tuple(fc.boolean(), fc.nat(6)), { maxLength: 80 });
  fc.assert(
    fc.property(calls, fc.integer({ min: 2, max: 40 }), (made, perHour) => {
      const invalid = new InvalidRecipients(perHour);
      const named: Array<ReturnType<typeof bought> | ReturnType<typeof free>> = [];
      for (const [hasBought, account] of made) {
        const asker = hasBought ? bought(account) : free(account + 10);
        const own = named.filter((one) => one.account === asker.account).length;
        const ofFree = named.filter(({ accountClass }) => accountClass === 'free').length;
        const held = { size: perHour, total: named.length, own, ofFree, boughtIsHere: true };
        expect(invalid.left(asker, 0) > 0).toBe(lackOf(held, asker.accountClass, 1) === null);
        if (invalid.left(asker, 0) === 0) continue;
        invalid.count(asker, 0);
        named.push(asker);
      }
    }),
  );
});
