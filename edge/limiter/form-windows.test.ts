import { describe, expect, it } from 'vitest';
import { countCheck, isOver } from './form-windows.ts';
import type { Window } from './window.ts';

const NOON = Date.UTC(2026, 10, 24, 12);
const MINUTE = 60_000;
const LIMITS = { perMinute: 2, perHour: 3, creditsPerDay: 4 };

/** A form's windows, and a clock that the test moves. */
function form(nowMs = NOON) {
  const windows = new Map<string, Window>();
  const clock = { nowMs };
  return {
    windows,
    clock,
    check: (visitor: string | null, credits = 1): string | number => {
      const { counted, keep } = countCheck(windows, clock.nowMs, { visitor, credits }, LIMITS);
      for (const [name, window] of keep) windows.set(name, window);
      return counted.refused === null ? 'ok' : counted.resetMs;
    },
  };
}

describe('a visitor', () => {
  it('has a limit of checks a minute and one of checks an hour', () => {
    const { check, clock } = form();
    expect([check('a', 0), check('a', 0), check('a', 0)]).toEqual(['ok', 'ok', MINUTE]);
    expect(check('b', 0)).toBe('ok');
    clock.nowMs += MINUTE;
    expect([check('a', 0), check('a', 0)]).toEqual(['ok', 59 * MINUTE]);
    clock.nowMs += 59 * MINUTE;
    expect(check('a', 0)).toBe('ok');
  });

  it('from a new network is refused once fifty thousand windows are open', () => {
    const { check, windows } = form();
    check('a', 0);
    for (let n = 0; n < 50_000; n += 1) windows.set(`${n}`, { startedMs: NOON, used: 1 });
    expect([check('b', 0), check('a', 0), check(null)]).toEqual([MINUTE, 'ok', 'ok']);
  });
});

it("windows of a visitor are dropped after an hour, and the day's credits kept until midnight UTC", () => {
  const { check, clock, windows } = form();
  check('a');
  const over = () => [...windows].flatMap(([name, window]) => (isOver(name, window, clock.nowMs) ? [name] : []));
  clock.nowMs += 59 * MINUTE;
  expect(over()).toEqual([]);
  clock.nowMs += MINUTE;
  expect(over()).toEqual(['minute a', 'hour a']);
  clock.nowMs += 11 * 60 * MINUTE;
  expect(over()).toEqual(['minute a', 'hour a', 'day']);
});

it('the credits of a day start over at midnight UTC', () => {
  const { check, clock } = form(Date.UTC(2026, 10, 24, 23, 59));
  for (let n = 0; n < 4; n += 1) expect(check(null)).toBe('ok');
  expect([check(null), check(null, 0)]).toEqual([MINUTE, 'ok']);
  clock.nowMs += MINUTE;
  expect(check(null)).toBe('ok');
});
