import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BROKEN, EMPTY, SEVERAL, Survey } from './survey.ts';

const CHOICE = { column: 1, hasHeader: true };

it('counts each address once, and says what every row has', () => {
  const survey = new Survey(CHOICE);
  survey.add([
    ['id', 'mail'],
    ['1', 'ann@a.test'],
    ['2', ' Ann <ANN@a.test>'],
  ]);
  survey.add([['3', ''], ['4'], ['5', 'broken'], ['6', 'bob@b.test', 'more'], ['7', 'x@a.test; y@b.test']]);
  expect(survey.totals).toEqual({ rows: 7, addresses: 2, duplicates: 1, broken: 1, empty: 2, several: 1 });
  expect(survey.addresses).toEqual(['ann@a.test', 'bob@b.test']);
  expect(Array.from({ length: 7 }, (_, row) => survey.placeOf(row))).toEqual([0, 0, EMPTY, EMPTY, BROKEN, 1, SEVERAL]);
  expect(survey.width).toBe(3);
});

it('gives the same result no matter how rows are batched, also once its arrays have grown', () => {
  const rows = Array.from({ length: 9_000 }, (_, n) => [String(n), n % 7 === 0 ? '' : `user${n % 5_000}@a.test`]);
  const whole = new Survey({ column: 1, hasHeader: false });
  whole.add(rows);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_000 }), (cut) => {
      const survey = new Survey({ column: 1, hasHeader: false });
      survey.add(rows.slice(0, cut));
      survey.add(rows.slice(cut));
      expect(survey.totals).toEqual(whole.totals);
      expect(survey.placeOf(8_999)).toBe(whole.placeOf(8_999));
    }),
    { numRuns: 10 },
  );
});
