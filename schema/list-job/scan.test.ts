import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { notAnAddress } from '../words/result.ts';
import { Scan } from './scan.ts';

const CELLS = ['ann@a.test', ' Ann <ANN@a.test>', '', 'n/a', 'bob@b.test', 'x@a.test; y@b.test', 'an\u00ADn@a.test.'];

/** A list of two columns with these addresses. */
function scanOf(cells: readonly (string | null)[]): Scan {
  const scan = new Scan(1, 2);
  for (const cell of cells) scan.add(cell === null ? null : ['id', cell]);
  return scan;
}

test('each address is asked once, and nothing but addresses; every row is told what it has', () => {
  const scan = scanOf([...CELLS, null]);
  expect(scan.addresses).toEqual(['ann@a.test', 'bob@b.test']);
  expect(scan.totals).toEqual({ rows: 8, addresses: 2, duplicates: 2, empty: 1, several: 1, none: 1, excluded: 1 });
  const result = { result: notAnAddress('ann@a.test'), asked: 1 };
  const said = CELLS.map((cell, row) => scan.answerOf(row, ['id', cell], scan.numberOf(row) === 0 ? result : null));
  const spelt = (email: string) => ({ ...result, result: { ...result.result, email } });
  expect(said).toEqual([
    spelt('ann@a.test'),
    spelt('ann@a.test'),
    null,
    'no_address',
    'not_asked_yet',
    'several_addresses',
    spelt('ann@a.test'),
  ]);
});

test('a row that is no longer what it was is noticed', () => {
  const scan = scanOf(CELLS);
  expect(CELLS.map((cell, row) => scan.isAt(row, ['id', cell]))).toEqual(CELLS.map(() => true));
  expect(CELLS.map((_, row) => scan.isAt(row, ['id', 'new@a.test']))).toEqual(CELLS.map(() => false));
  expect(scan.isAt(CELLS.length, ['id', ''])).toBe(false);
});

test('of any list each row counts once, and a list beyond the first allocation keeps every row', () => {
  const lists = fc.array(fc.constantFrom(...CELLS, null), { maxLength: 30 });
  fc.assert(
    fc.property(lists, (cells) => {
      const { rows, ...counts } = scanOf(cells).totals;
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(rows);
    }),
  );
  const long = scanOf(Array.from({ length: 9_000 }, (_, n) => `user${n % 4_500}@a.test`));
  expect([long.addresses.length, long.numberOf(8_999), long.numberOf(9_000)]).toEqual([4_500, 4_499, null]);
});
