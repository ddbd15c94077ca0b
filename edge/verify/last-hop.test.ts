import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LAST_HOP_LEAST_MS, LAST_HOP_MOST_MS, lastHopMs } from './last-hop.ts';

describe('the time that an answer gets to go out', () => {
  it.each([
    ['an idle D1 in the same place', 3, 50],
    ['a busy Worker', 40, 80],
    ['a Worker an ocean away', 110, 220],
    ['a D1 in trouble', 3_000, 250],
    ['a clock that was set back', -20_000, 50],
    ['no time at all', Number.NaN, 250],
  ])('after a hold at %s', (_where, tripMs, hopMs) => {
    expect(lastHopMs(tripMs)).toBe(hopMs);
  });

  test('stays within its bounds, and never gets shorter as trips get longer', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        const [short, long] = [lastHopMs(Math.min(a, b)), lastHopMs(Math.max(a, b))];
        expect(short).toBeGreaterThanOrEqual(LAST_HOP_LEAST_MS);
        expect(long).toBeLessThanOrEqual(LAST_HOP_MOST_MS);
        expect(short).toBeLessThanOrEqual(long);
      }),
    );
  });
});
