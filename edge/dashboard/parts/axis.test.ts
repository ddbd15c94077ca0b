import { expect, it } from 'vitest';
import { topOfAxis } from './axis.ts';

it.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [7, 8],
  [9, 10],
  [10, 10],
  [11, 20],
  [173, 200],
  [401, 600],
  [99_999, 100_000],
])('an axis that holds %i ends at %i', (most, top) => {
  expect(topOfAxis(most)).toBe(top);
});
