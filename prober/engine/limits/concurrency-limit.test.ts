import { expect, test } from 'vitest';
import { Bound, WIDER_AFTER_MS } from './concurrency-limit.ts';

const NOW = 1_000_000;

test('a bound is what it was made, and is never exceeded', () => {
  const bound = new Bound(10);
  expect([bound.at(NOW), bound.isWhole(NOW), bound.exceeds(9), bound.exceeds(10)]).toEqual([10, true, 0, Infinity]);
});

test('a narrowed bound lets one more pass every half minute, until it is whole', () => {
  const bound = new Bound(10);
  bound.narrow(7, NOW);
  expect([bound.at(NOW), bound.exceeds(6), bound.exceeds(7)]).toEqual([7, 0, NOW + WIDER_AFTER_MS]);
  expect([bound.at(NOW + WIDER_AFTER_MS - 1), bound.at(NOW + WIDER_AFTER_MS)]).toEqual([7, 8]);
  expect([bound.exceeds(9), bound.exceeds(10)]).toEqual([NOW + 3 * WIDER_AFTER_MS, Infinity]);
  expect(bound.isWhole(NOW + 3 * WIDER_AFTER_MS - 1)).toBe(false);
  expect(bound.isWhole(NOW + 3 * WIDER_AFTER_MS)).toBe(true);
  expect(bound.at(NOW + 99 * WIDER_AFTER_MS)).toBe(10);
});

test('it is never narrowed to nothing, nor widened by being narrowed', () => {
  const bound = new Bound(10);
  bound.narrow(0, NOW);
  expect(bound.at(NOW)).toBe(1);
  for (const to of [5, 10, Infinity]) bound.narrow(to, NOW);
  expect([bound.at(NOW), bound.at(NOW + WIDER_AFTER_MS)]).toEqual([1, 2]);
  bound.narrow(1, NOW + WIDER_AFTER_MS);
  expect(bound.exceeds(1)).toBe(NOW + 2 * WIDER_AFTER_MS);
});

test('what is not bounded stays so', () => {
  const bound = new Bound(Infinity);
  expect([bound.at(NOW), bound.isWhole(NOW), bound.exceeds(1e9)]).toEqual([Infinity, true, 0]);
});
