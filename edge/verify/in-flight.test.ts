import { expect, test } from 'vitest';
import { InFlight, mostInFlight } from './in-flight.ts';

const at = (nowMs: number) => ({ nowMs, untilMs: nowMs + 1_000 });

test('an account has no more addresses under way than it may have, until a batch ends', () => {
  const inFlight = new InFlight();
  const end = inFlight.begin('a', 6, 10, at(0));
  inFlight.begin('a', 4, 10, at(0));
  expect(() => inFlight.begin('a', 1, 10, at(1))).toThrow(
    'An account can have 10 addresses in progress at the same time: 10 are, and this request has 1.',
  );
  expect(() => inFlight.begin('other', 10, 10, at(1))).not.toThrow();
  end();
  expect(() => inFlight.begin('a', 6, 10, at(1))).not.toThrow();
});

test('a batch that nobody ended is forgotten at its time', () => {
  const inFlight = new InFlight();
  inFlight.begin('a', 10, 10, at(0));
  expect(() => inFlight.begin('a', 1, 10, at(999))).toThrow('in progress');
  expect(() => inFlight.begin('a', 10, 10, at(1_000))).not.toThrow();
});

test('nothing is kept of an account whose batches have ended, and with 0 there is no bound', () => {
  const inFlight = new InFlight();
  const ends = Array.from({ length: 50 }, () => inFlight.begin('a', 500, 0, at(0)));
  expect(inFlight.size).toBe(1);
  for (const end of ends) end();
  expect(inFlight.size).toBe(0);
});

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
