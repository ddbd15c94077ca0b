import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterReturn, countCheck, ended } from './form-windows.ts';
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
    giveBack: (day: number, credits: number): void => {
      const kept = afterReturn(windows, day, credits);
      if (kept !== null) windows.set(...kept);
    },
  };
}

describe('a visitor', () => {
  it('has so many checks a minute, and so many an hour', () => {
    const { check, clock } = form();
    expect([check('a', 0), check('a', 0), check('a', 0)]).toEqual(['ok', 'ok', MINUTE]);
    expect(check('b', 0)).toBe('ok');
    clock.nowMs += MINUTE;
    expect([check('a', 0), check('a', 0)]).toEqual(['ok', 59 * MINUTE]);
    clock.nowMs += 59 * MINUTE;
    expect(check('a', 0)).toBe('ok');
  });

  it('is forgotten when the hour is over', () => {
    const { check, clock, windows } = form();
    check('a');
    expect(ended(windows, clock.nowMs + 59 * MINUTE)).toEqual([]);
    expect(ended(windows, clock.nowMs + 60 * MINUTE)).toEqual(['minute a', 'hour a']);
  });

  it('of whom nothing is known finds no room once fifty thousand windows are open', () => {
    const { check, windows } = form();
    check('a', 0);
    for (let n = 0; n < 50_000; n += 1) windows.set(`${n}`, { startedMs: NOON, used: 1 });
    expect([check('b', 0), check('a', 0), check(null)]).toEqual([MINUTE, 'ok', 'ok']);
  });
});

describe('the credits of a day', () => {
  it('begin anew at midnight UTC, and what comes back later is of no day', () => {
    const { check, giveBack, clock } = form(Date.UTC(2026, 10, 24, 23, 59));
    const yesterday = Date.UTC(2026, 10, 24);
    for (let n = 0; n < 4; n += 1) expect(check(null)).toBe('ok');
    expect(check(null)).toBe(MINUTE);
    clock.nowMs += MINUTE;
    for (let n = 0; n < 4; n += 1) expect(check(null)).toBe('ok');
    giveBack(yesterday, 1);
    expect(check(null)).toBe(1_440 * MINUTE);
    giveBack(yesterday + 1_440 * MINUTE, 1);
    expect(check(null)).toBe('ok');
  });

  it('are never reserved beyond the day, in whatever order checks come and give back', () => {
    const steps = fc.array(fc.constantFrom('check', 'back'), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const { check, giveBack } = form();
        let reserved = 0;
        for (const step of all)
          if (step === 'check') reserved += check(null) === 'ok' ? 1 : 0;
          else if (reserved > 0) {
            reserved -= 1;
            giveBack(Date.UTC(2026, 10, 24), 1);
          }
        expect(reserved).toBeLessThanOrEqual(LIMITS.creditsPerDay);
      }),
    );
  });
});
