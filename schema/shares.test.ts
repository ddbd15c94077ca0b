import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lackOf } from './shares.ts';

describe('lackOf', () => {
  it.each<[size: number, total: number, own: number, lack: ReturnType<typeof lackOf>]>([
    [10, 0, 0, null],
    [10, 4, 4, null],
    [10, 5, 5, 'share'],
    [10, 5, 0, null],
    [10, 8, 1, null],
    [10, 8, 2, 'share'],
    [10, 10, 10, 'full'],
    [1, 0, 0, null],
    [1, 1, 0, 'full'],
  ])('of %i pieces of which %i are held, %i by the account that asks for one: %s', (size, total, own, lack) => {
    expect(lackOf({ size, total, own })).toBe(lack);
  });

  it('leaves a newcomer a piece, whatever one account takes, while there are two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000 }), (size) => {
        let own = 0;
        while (lackOf({ size, total: own, own }) === null) own += 1;
        expect(lackOf({ size, total: own, own: 0 })).toBeNull();
      }),
    );
  });
});
