import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, WINDOW_MS, type Window } from './window.ts';

describe('count', () => {
  it('allows exactly the limit per window, and starts a window with the first call after the last one', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10 }), (gaps, limit) => {
        let window: Window | null = null;
        let now = 1_000_000;
        let began = -Infinity;
        let passed = 0;
        for (const gap of gaps) {
          now += gap;
          if (now - began >= WINDOW_MS) {
            began = now;
            passed = 0;
          }
          const { counted, keep } = count(window, now, limit);
          expect(counted.allowed).toBe(passed < limit);
          expect(keep === null).toBe(!counted.allowed);
          if (counted.allowed) passed += 1;
          expect(counted.remaining).toBe(limit - passed);
          expect(counted.resetMs).toBe(began + WINDOW_MS - now);
          window = keep ?? window;
        }
      }),
    );
  });

  it('refuses at once if the limit was lowered below the count', () => {
    expect(count({ startedMs: 0, used: 30 }, 1, 10).counted).toEqual({ allowed: false, remaining: 0, resetMs: 59_999 });
  });

  it('keeps the window if the clock is set back a little, and never reports more than its length', () => {
    const { counted, keep } = count({ startedMs: 1_000_000, used: 1 }, 999_000, 60);
    expect(counted).toEqual({ allowed: true, remaining: 58, resetMs: WINDOW_MS });
    expect(keep).toEqual({ startedMs: 1_000_000, used: 2 });
  });

  it('starts over if the clock is set back by more than a window', () => {
    expect(count({ startedMs: 1_000_000, used: 60 }, 1_000_000 - WINDOW_MS, 60).counted.allowed).toBe(true);
  });
});
