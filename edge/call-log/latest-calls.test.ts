import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { latestCalls } from './latest-calls.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

test('a log is read once a second, however many ask, and each account has its own', async () => {
  const { db } = openTestDatabase();
  const asked = vi.spyOn(db, 'prepare');
  const read = (account: string) => latestCalls(db, { accountId: account, limiter: account }, Date.now(), () => {});
  const flood = (account: string) => Promise.all(Array.from({ length: 50 }, () => read(account)));
  await read('acme');
  const once = asked.mock.calls.length;
  vi.setSystemTime(Date.now() + 1_000);
  await flood('acme');
  expect(asked).toHaveBeenCalledTimes(once);
  await flood('other');
  expect(asked).toHaveBeenCalledTimes(2 * once);
  vi.setSystemTime(Date.now() + 1_001);
  await flood('acme');
  expect(asked).toHaveBeenCalledTimes(3 * once);
});
