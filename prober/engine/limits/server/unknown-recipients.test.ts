import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnknownRecipients } from './unknown-recipients.ts';

/** An account names as many as it may. */
function exhaust(unknown: UnknownRecipients, account: number, now = 0): number {
  let count = 0;
  for (; unknown.left(account, now) > 0; count += 1) unknown.count(account, now);
  return count;
}

test('of accounts that come one after the other each has half of what is left', () => {
  const unknown = new UnknownRecipients(100);
  expect([1, 2, 3].map((account) => exhaust(unknown, account))).toEqual([50, 25, 13]);
});

test('an account that has named nobody may name somebody until the hourly limit is used up, no matter what others did', () => {
  const calls = fc.array(fc.record({ account: fc.nat(20), pauseMs: fc.nat(60_000) }), { maxLength: 400 });
  fc.assert(
    fc.property(calls, (made) => {
      const unknown = new UnknownRecipients(30);
      let now = 0;
      let named: number[] = [];
      for (const { account, pauseMs } of made) {
        now += pauseMs;
        named = named.filter((atMs) => atMs > now - 3_000_000);
        if (unknown.left(account, now) > 0) {
          unknown.count(account, now);
          named.push(now);
        }
        expect(named.length).toBeLessThanOrEqual(30);
        if (unknown.left(99, now) === 0) expect(named.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('the wait that is told is long enough, and no longer than it must be', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200_000), { minLength: 1, maxLength: 60 }), fc.nat(2), (waits, account) => {
      const unknown = new UnknownRecipients(20);
      let now = 0;
      for (const [i, pauseMs] of waits.entries()) {
        now += pauseMs;
        if (unknown.left(i % 3, now) > 0) unknown.count(i % 3, now);
      }
      const waitMs = unknown.waitMs(account, now);
      expect(waitMs === 0).toBe(unknown.left(account, now) > 0);
      if (waitMs > 0) expect(unknown.left(account, now + waitMs - 1)).toBe(0);
      expect(unknown.left(account, now + waitMs)).toBeGreaterThan(0);
    }),
  );
});

test('one that the gateway knew after all does not count', () => {
  const unknown = new UnknownRecipients(10);
  exhaust(unknown, 1);
  unknown.uncount(1);
  expect(unknown.left(1, 0)).toBe(1);
});
