import { expect, test } from 'vitest';
import { Pace } from './pace.ts';
import { SYSTEM_CLOCK } from '../base/clock.ts';

const paced = (): Pace => new Pace({ ...SYSTEM_CLOCK, now: () => 0, random: () => 0.5 });

test('back-off doubles up to 30 s, and Retry-After is capped at five minutes', () => {
  const pauses = [1, 2, 3, 4, 7, 8, 500].map((failures) => {
    const pace = paced();
    pace.rest(failures, 0);
    return pace.nextMs;
  });
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 15_000, 15_000, 15_000]);
  const hostile = paced();
  hostile.rest(1, 999_999_999_000);
  expect(hostile.nextMs).toBe(300_250);
});
