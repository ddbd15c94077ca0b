import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('backoffMs', () => {
  it.each([
    [1, 100],
    [2, 200],
    [5, 1_600],
    [8, 10_000],
    [1_000, 10_000],
  ])('waits a random time up to the ceiling after failure %i', (failures, ceiling) => {
    expect(backoffMs(failures, () => 0)).toBe(0);
    expect(backoffMs(failures, () => 0.5)).toBe(ceiling / 2);
  });

  it('never waits longer than 10 s', () => {
    const lot = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1 }), lot, (failures, random) => {
        const waitMs = backoffMs(failures, () => random);
        expect(waitMs >= 0 && waitMs < 10_000).toBe(true);
      }),
    );
  });
});
