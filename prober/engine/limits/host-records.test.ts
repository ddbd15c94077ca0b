import { expect, test } from 'vitest';
import { DEFAULTS } from '../ports/settings.ts';
import { WIDER_AFTER_MS } from './concurrency-limit.ts';
import { Doors, DOORS_MAX } from './host-records.ts';

const MINUTE_MS = 60_000;

/** Opens so many doors more, each of which rests for an hour or is idle. @returns the most there ever were */
function open(doors: Doors<never>, count: number, rests: boolean, from = 0, now = 0): number {
  let most = 0;
  for (let n = from; n < from + count; n += 1) {
    const { height } = doors.open(0, `ip ${n}`, now);
    if (rests) height.coolDown.begin('blocked', now);
    most = Math.max(most, doors.size);
  }
  return most;
}

test('there are never more doors than the bound; of too many that rest the oldest half goes', () => {
  const doors = new Doors<never>(DEFAULTS.pace);
  expect(open(doors, DOORS_MAX, true)).toBe(DOORS_MAX);
  expect(open(doors, 1, true, DOORS_MAX)).toBe(DOORS_MAX / 2 + 1);
  expect(doors.peek(0, `ip ${DOORS_MAX / 2 - 1}`)).toBeUndefined();
  expect(doors.peek(0, `ip ${DOORS_MAX / 2}`)).toBeDefined();
  expect(open(doors, 3 * DOORS_MAX, true, DOORS_MAX + 1)).toBe(DOORS_MAX);
});

test('a door is remembered for as long as what was named there counts', () => {
  const doors = new Doors<never>(DEFAULTS.pace);
  doors.open(0, 'busy', 0).invalid.name(1, 0);
  open(doors, 2_000, false, 0, 59 * MINUTE_MS);
  expect(doors.peek(0, 'busy')).toBeDefined();
  open(doors, 2_000, false, 0, 61 * MINUTE_MS);
  expect(doors.peek(0, 'busy')).toBeUndefined();
});

test('idle doors are forgotten when there are twice as many as were left, and a minute later', () => {
  const doors = new Doors<never>(DEFAULTS.pace);
  expect(open(doors, 10_000, false)).toBe(1_024);
  expect(open(doors, 2_000, true, 10_000)).toBeLessThan(4_096);
  expect(open(doors, 10_000, false, 20_000)).toBeLessThan(3 * 2_000);
  open(doors, 1, false, 30_000, MINUTE_MS);
  expect(doors.size).toBe(2_001);
});

test('a door is remembered until its server has been tried with all that there may be', () => {
  const doors = new Doors<never>(DEFAULTS.pace);
  doors.open(0, 'narrow', 0).height.narrow(8, 0);
  open(doors, 2_000, false, 0, 2 * WIDER_AFTER_MS - 1);
  expect(doors.peek(0, 'narrow')).toBeDefined();
  open(doors, 4_000, false, 2_000, 2 * WIDER_AFTER_MS + MINUTE_MS);
  expect(doors.peek(0, 'narrow')).toBeUndefined();
});
