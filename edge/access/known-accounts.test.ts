import { expect, test } from 'vitest';
import { KnownAccount, KnownAccounts } from './known-accounts.ts';

test('an account is the same as long as it is known, and its class is believed for five seconds', () => {
  const accounts = new KnownAccounts();
  const account = accounts.of('a');
  expect(account.classAt(0)).toBeNull();
  account.hear('bought', 1_000);
  expect(accounts.of('a')).toBe(account);
  expect([account.classAt(1_000), account.classAt(5_999), account.classAt(6_000)]).toEqual(['bought', 'bought', null]);
  account.hear('free', 6_000);
  expect(account.classAt(6_001)).toBe('free');
});

test('a clock that was set back makes no class last longer', () => {
  const account = new KnownAccount();
  account.hear('bought', 100_000);
  expect(account.classAt(0)).toBeNull();
});

test('more accounts than the bound displace the one that came first', () => {
  const accounts = new KnownAccounts(10);
  const [first, second] = [accounts.of('first'), accounts.of('second')];
  for (let n = 0; n < 9; n += 1) accounts.of(`a${n}`);
  expect(accounts.of('second')).toBe(second);
  expect(accounts.of('first')).not.toBe(first);
});

test('one call in two seconds asks about an account whose class is not known any more', () => {
  const account = new KnownAccount();
  account.hear('free', 0);
  const asks = (atMs: number) => account.isToBeHeard(atMs);
  expect([asks(4_999), asks(5_000), asks(5_000), asks(6_999), asks(7_000)]).toEqual([false, true, false, false, true]);
  expect(account.lastClass).toBe('free');
  account.hear('bought', 7_100);
  expect([asks(7_200), account.lastClass]).toEqual([false, 'bought']);
});

test('calls are used up until their window ends, by the answer that tells of most', () => {
  const account = new KnownAccount();
  expect(account.usedUpForMs(1, 0)).toBe(0);
  account.noteCalls(20, 60_000, 1_000);
  account.noteCalls(19, 60_001, 1_001);
  expect([20, 21].map((limit) => account.usedUpForMs(limit, 2_000))).toEqual([58_000, 0]);
  account.noteCalls(1, 120_000, 60_000);
  expect(account.usedUpForMs(2, 60_000)).toBe(0);
});
