import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTaken, UNREAD_MS } from './taken.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LATE = 600_000;
const NEVER = new Promise<void>(() => {});
const stays = (): AbortSignal => new AbortController().signal;

test('a write that resolves was taken, and one that rejects was not', async () => {
  expect(await isTaken(Promise.resolve(), Date.now() + LATE, stays())).toBe(true);
  expect(await isTaken(Promise.reject(new Error('closed')), Date.now() + LATE, stays())).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['30 s', LATE, UNREAD_MS],
  ['the end of the time to write, if that comes first', 1_000, 1_000],
])('an unread write is given up after %s', async (_when, leftMs, givenUpMs) => {
  let taken: boolean | null = null;
  const waiting = isTaken(NEVER, Date.now() + leftMs, stays()).then((is) => (taken = is));
  await vi.advanceTimersByTimeAsync(givenUpMs - 1);
  expect(taken).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(taken).toBe(false);
  await waiting;
});

test('a caller that is gone, or disconnects, takes nothing', async () => {
  expect(await isTaken(Promise.resolve(), Date.now() + LATE, AbortSignal.abort())).toBe(false);
  const caller = new AbortController();
  const waiting = isTaken(NEVER, Date.now() + LATE, caller.signal);
  caller.abort();
  expect(await waiting).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
