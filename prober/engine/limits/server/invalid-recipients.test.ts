import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidRecipients } from './invalid-recipients.ts';

const HOUR_MS = 3_600_000;
const by = (account: number) => ({ account }) as const;

/** An account names as many as it may. */
function exhaust(invalid: InvalidRecipients, account: number, now = 0): number {
  let count = 0;
  for (; invalid.left(by(account), now) > 0; count += 1) invalid.count(by(account), now);
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
  for (let turn = 0; turn < 99; turn += 1) if (invalid.left(by(turn % 2), 0) > 0) invalid.count(by(turn % 2), 0);
  expect([invalid.size, invalid.left(by(0), 0), invalid.left(by(1), 0), invalid.left(by(2), 0)]).toEqual([
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
        if (invalid.left(by(account), now) > 0) invalid.count(by(account), now);
        expect(invalid.size).toBeLessThanOrEqual(30);
        if (invalid.size < 30) expect(invalid.left(by(99), now)).toBeGreaterThan(0);
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
        if (invalid.left(by(i % 3), now) > 0) invalid.count(by(i % 3), now);
      }
      const waitMs = invalid.left(by(account), now) > 0 ? 0 : invalid.waitMs(by(account), now);
      if (waitMs > 0) expect(invalid.left(by(account), now + waitMs - 1)).toBe(0);
      expect(invalid.left(by(account), now + waitMs)).toBeGreaterThan(0);
    }),
  );
});

test('of one who has had more than its share as many must be forgotten as are too many', () => {
  const invalid = new InvalidRecipients(10);
  for (let at = 0; at < 5; at += 1) invalid.count(by(1), at);
  invalid.count(by(2), 10);
  invalid.count(by(2), 10);
  expect(invalid.waitMs(by(1), 10)).toBe(HOUR_MS + 1 - 10);
});

test('a recipient that the gateway knew does not count, even if other accounts have named others since', () => {
  const invalid = new InvalidRecipients(10);
  for (const account of [1, 2, 1, 2, 2]) invalid.count(by(account), 0);
  invalid.uncount(by(1));
  expect([invalid.size, invalid.left(by(1), 0), invalid.left(by(2), 0)]).toEqual([4, 3, 2]);
  invalid.uncount(by(7));
  expect(invalid.size).toBe(4);
});

test('a hundred thousand accounts leave no more behind than the hour allows, and nothing after it', () => {
  const invalid = new InvalidRecipients(1_000);
  for (let account = 0; account < 100_000; account += 1) exhaust(invalid, account);
  expect(invalid.size).toBe(1_000);
  expect([invalid.isForgettable(HOUR_MS - 1), invalid.isForgettable(HOUR_MS)]).toEqual([false, true]);
  expect(invalid.left(by(5), HOUR_MS)).toBe(500);
  expect(invalid.size).toBe(0);
});

test('a clock that jumps back holds nobody up for longer than an hour more, one that jumps ahead forgets', () => {
  const invalid = new InvalidRecipients(10);
  exhaust(invalid, 1, 10 * HOUR_MS);
  expect(invalid.left(by(1), 9 * HOUR_MS)).toBe(0);
  expect(invalid.waitMs(by(1), 10 * HOUR_MS)).toBe(HOUR_MS);
  expect(invalid.left(by(1), 100 * HOUR_MS)).toBe(5);
});
