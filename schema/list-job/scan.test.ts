import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { notAnAddress } from '../words/result.ts';
import { Scan } from './scan.ts';
import { openList } from '../lists/reading/list.ts';
import { tableOf } from '../lists/reading/table.ts';
import { sourceOf } from '../lists/testing/source.ts';
import { formulaNote, scanTable } from './scan-table.ts';

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

test('a domain in Unicode and in A-labels is one: it is asked and paid once, and each row keeps its spelling', () => {
  const cells = ['a@münchen.test', 'A@xn--mnchen-3ya.test'];
  const scan = scanOf(cells);
  expect(scan.totals).toMatchObject({ addresses: 1, duplicates: 1 });
  const result = { result: notAnAddress('a@münchen.test'), asked: 1 };
  expect(scan.answerOf(1, ['id', cells[1] ?? ''], result)).toMatchObject({
    result: { email: 'a@xn--mnchen-3ya.test' },
  });
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

/** A workbook as other programs write it: no program has calculated the formulas. */
async function tableWith(rows: readonly string[]) {
  const files = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="One" r:id="s1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="s1" Target="sheet.xml"/></Relationships>',
    'xl/sheet.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, part] of Object.entries(files)) await zip.add(name, new TextReader(part));
  const reading = { format: null, encoding: null, delimiter: null, sheet: null, rowsMax: 99 };
  return tableOf(await openList(sourceOf(await zip.close()), reading), null);
}

const text = (words: string): string => `<c t="inlineStr"><is><t>${words}</t></is></c>`;
const FORMULA = '<c><f>B1&amp;"x"</f></c>';
const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
const NAMED = row(text('name'), text('email'));

test.each([
  [
    'in another column',
    [NAMED, row(FORMULA, text('a@x.test')), row(FORMULA, text('b@x.test'))],
    2,
    '2 rows have formulas',
  ],
  ['below the addresses', [NAMED, row(text('A'), text('a@x.test')), row(FORMULA)], 1, '1 row has formulas t'],
  ['in the row of names', [row(FORMULA, text('email')), row(text('A'), text('a@x.test'))], 1, null],
  ['in one of the addresses', [NAMED, row(text('A'), text('a@x.test')), row(text('B'), FORMULA)], 'B3', null],
  ['in all of the addresses', [NAMED, row(text('A'), FORMULA), row(text('B'), FORMULA)], 'B2', null],
])(
  'a formula that nobody calculated %s is refused only where an address is needed',
  async (_where, rows, found, note) => {
    const scanning = tableWith(rows).then((table) => scanTable(table, 1));
    if (typeof found === 'number') {
      const scan = await scanning;
      expect(scan.addresses).toHaveLength(found);
      // One in the row of names is in no row.
      expect(formulaNote(scan)?.slice(0, 20) ?? null).toBe(note);
    } else
      await expect(scanning).rejects.toThrow(`The formula in cell ${found} was never calculated. Open the file in`);
  },
);

test('a sheet with nothing but such formulas is no empty one', async () => {
  const table = await tableWith([row(text('email')), row(FORMULA)]);
  await expect(scanTable(table, 0)).rejects.toThrow('cell A2');
});
