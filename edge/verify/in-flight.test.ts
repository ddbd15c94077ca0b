import { expect, test } from 'vitest';
import { mostInFlight } from './in-flight.ts';

test.each([
  [10_000, 1_000, 'bought', 10_000],
  [10_000, 1_000, 'free', 1_000],
  [4, 1_000, 'free', 4],
  [0, 1_000, 'free', 1_000],
  [10_000, 0, 'free', 10_000],
  [0, 1_000, 'bought', 0],
] as const)(
  'with limits %i and %i (free), an account that is %s may have %i in flight',
  (all, free, accountClass, most) => {
    expect(mostInFlight({ MAX_IN_FLIGHT: all, MAX_IN_FLIGHT_FREE: free }, accountClass)).toBe(most);
  },
);
