import { expect, test } from 'vitest';
import { mostInFlight } from './in-flight.ts';

test.each([
  [10_000, 1_000, 'bought', 10_000],
  [10_000, 1_000, 'free', 1_000],
  [4, 1_000, 'free', 4],
  [0, 1_000, 'free', 1_000],
  [10_000, 0, 'free', 10_000],
  [0, 1_000, 'bought', 0],
] as const)('of %i for all and %i for the free one that is %s may have %i', (all, free, accountClass, most) => {
  expect(mostInFlight({ MAX_IN_FLIGHT: all, MAX_IN_FLIGHT_FREE: free }, accountClass)).toBe(most);
});
