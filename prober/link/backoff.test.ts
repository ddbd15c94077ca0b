import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it.each([
  [1, 100],
  [2, 200],
  [5, 1_600],
  [8, 10_000],
  [1_000, 10_000],
])('after failure %i a host waits a random time up to %i ms', (failures, ceiling) => {
  expect([0, 0.5].map((lot) => backoffMs(failures, () => lot))).toEqual([0, ceiling / 2]);
});
