import { expect, test } from 'vitest';
import { ConcurrencyLimit, RAISE_AFTER_MS } from './concurrency-limit.ts';

const NOW = 1_000_000;

test('a limit is as configured, and never exceeded', () => {
  const limit = new ConcurrencyLimit(10);
  expect([limit.allowedAt(NOW), limit.isUnreduced(NOW), limit.raisesAt(NOW)]).toEqual([10, true, Infinity]);
});

test('a lowered limit lets one more pass every half minute, until it is as configured', () => {
  const limit = new ConcurrencyLimit(10);
  limit.lower(7, NOW);
  expect([limit.allowedAt(NOW), limit.raisesAt(NOW)]).toEqual([7, NOW + RAISE_AFTER_MS]);
  expect([limit.allowedAt(NOW + RAISE_AFTER_MS - 1), limit.allowedAt(NOW + RAISE_AFTER_MS)]).toEqual([7, 8]);
  expect(limit.raisesAt(NOW + RAISE_AFTER_MS)).toBe(NOW + 2 * RAISE_AFTER_MS);
  expect(limit.isUnreduced(NOW + 3 * RAISE_AFTER_MS - 1)).toBe(false);
  expect(limit.isUnreduced(NOW + 3 * RAISE_AFTER_MS)).toBe(true);
  expect(limit.allowedAt(NOW + 99 * RAISE_AFTER_MS)).toBe(10);
});

test('it is never lowered to nothing, nor raised by being lowered', () => {
  const limit = new ConcurrencyLimit(10);
  limit.lower(0, NOW);
  expect(limit.allowedAt(NOW)).toBe(1);
  for (const to of [5, 10, Infinity]) limit.lower(to, NOW);
  expect([limit.allowedAt(NOW), limit.allowedAt(NOW + RAISE_AFTER_MS)]).toEqual([1, 2]);
  limit.lower(1, NOW + RAISE_AFTER_MS);
  expect(limit.raisesAt(NOW + RAISE_AFTER_MS)).toBe(NOW + 2 * RAISE_AFTER_MS);
});

test('an unlimited one stays so', () => {
  const limit = new ConcurrencyLimit(Infinity);
  expect([limit.allowedAt(NOW), limit.isUnreduced(NOW), limit.raisesAt(NOW)]).toEqual([Infinity, true, Infinity]);
});
