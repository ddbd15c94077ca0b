import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Offsets } from './offsets.ts';

test('each place has the offset that was set last, and no other has one', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5_000), fc.nat(2 ** 40))), (pairs) => {
      const offsets = new Offsets();
      for (const pair of pairs) offsets.set(...pair);
      const known = new Map(pairs);
      for (let index = 0; index < 5_001; index += 7) expect(offsets.get(index)).toBe(known.get(index) ?? null);
    }),
  );
});

test('a place beyond any list is refused', () => {
  expect(() => new Offsets().set(2 ** 40, 0)).toThrow(expect.objectContaining({ code: 'JOURNAL_BROKEN' }));
});
