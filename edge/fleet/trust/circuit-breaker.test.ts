import { expect, it } from 'vitest';
import { afterFailure, CLOSED } from './circuit-breaker.ts';

it('doubles from 5 s to 10 minutes with each failure after its time', () => {
  let breaker = CLOSED;
  let now = 0;
  const waits = Array.from({ length: 9 }, () => {
    breaker = afterFailure(breaker, now);
    const wait = breaker.openUntilMs - now;
    now = breaker.openUntilMs;
    return wait / 1_000;
  });
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
});

it('ignores further failures while it is open', () => {
  const first = afterFailure(CLOSED, 100);
  expect(afterFailure(first, 100)).toBe(first);
  expect(afterFailure(first, first.openUntilMs - 1)).toBe(first);
});
