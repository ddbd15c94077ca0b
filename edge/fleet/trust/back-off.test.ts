import { expect, it } from 'vitest';
import { failed, NO_BACK_OFF } from './back-off.ts';

it('doubles from 5 s to 10 minutes with each failure that was waited for', () => {
  let backOff = NO_BACK_OFF;
  let now = 0;
  const waits = Array.from({ length: 9 }, () => {
    backOff = failed(backOff, now);
    const wait = backOff.untilMs - now;
    now = backOff.untilMs;
    return wait / 1_000;
  });
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
});

it('takes failures while it lasts for the one that began it', () => {
  const first = failed(NO_BACK_OFF, 100);
  expect(failed(first, 100)).toBe(first);
  expect(failed(first, first.untilMs - 1)).toBe(first);
});
