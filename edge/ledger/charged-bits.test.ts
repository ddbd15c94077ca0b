import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotIndex } from '../base/indexes.ts';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { bitAt, readBits, writeBits } from './charged-bits.ts';

const request = fc.integer({ min: 1, max: 500 }).chain((elements) =>
  fc.record({
    elements: fc.constant(elements),
    places: fc.uniqueArray(fc.nat({ max: elements - 1 }).map(slotIndex), { maxLength: elements }),
  }),
);

describe('the bits of charged elements', () => {
  it('hold any set of elements in a quarter of a character each', () => {
    fc.assert(
      fc.property(request, ({ elements, places }) => {
        const bits = writeBits(places, elements);
        expect(bits).toMatch(/^[0-9a-f]*$/);
        expect(bits).toHaveLength(Math.ceil(elements / 4));
        expect(readBits(bits)).toEqual(new Set(places));
      }),
    );
  });

  it('read the same in SQL', () => {
    const { rows } = openTestDatabase();
    fc.assert(
      fc.property(request, ({ elements, places }) => {
        const bits = writeBits(places, elements);
        const all = JSON.stringify(Array.from({ length: elements }, (_, place) => place));
        const found = rows(
          `SELECT u.value AS place FROM json_each('${all}') u WHERE ${bitAt(`'${bits}'`, 'u.value')} = 1`,
        );
        expect(new Set(found.map(({ place }) => place))).toEqual(new Set(places));
      }),
    );
    expect(rows(`SELECT ${bitAt('NULL', '3')} AS bit`)).toEqual([{ bit: null }]);
  });
});
