import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../writing/csv.ts';
import { readDelimited } from './delimited.ts';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function rowsOf(text: AsyncIterable<string>, delimiter = ','): Promise<(readonly string[])[]> {
  const rows = [];
  for await (const batch of readDelimited(text, delimiter)) rows.push(...batch.map(({ cells }) => cells));
  return rows;
}

test.each<[string, string, readonly (readonly string[])[]]>([
  [
    'CRLF and LF in one file',
    'a,b\r\nc,d\ne,"f"\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
  ],
  [
    'CR alone',
    'a,"b\rc"\rd,\r',
    [
      ['a', 'b\rc'],
      ['d', ''],
    ],
  ],
  ['all three ends', 'a\rb\nc\r\nd', [['a'], ['b'], ['c'], ['d']]],
  ['a quotation mark in the middle', '5" disk,x\n', [['5" disk', 'x']]],
  [
    'text behind a quoted cell',
    '"Bob" B,x\n"Ann ""the, 1st""" Lee,"y"\n',
    [
      ['"Bob" B', 'x'],
      ['"Ann "the, 1st"" Lee', 'y'],
    ],
  ],
  ['text behind the last quoted cell', 'x,"Bob" B', [['x', '"Bob" B']]],
  ['spaces behind a quoted cell', '"Bob" ,x\n', [['Bob', 'x']]],
  ['line ends in quotes behind such a cell', '"a" b,"c\r\nd"\r\n', [['"a" b', 'c\r\nd']]],
  ['a quoted cell at the very end', 'a,"b"', [['a', 'b']]],
  ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
])('text with %s is read in pieces of any size', async (_name, text, rows) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(await rowsOf(pieces(text, size))).toEqual(rows);
});

test('cells of any content are read back unchanged', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', ',', ';', '\r\n', '\r', '\n', ' x ', '=1', '""'),
  );
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(',', ';', '|', ']', '^', '\\'),
      fc.integer({ min: 1, max: 20 }),
      async (cells, delimiter, size) => {
        // A plain last cell: of a quoted one that ends in CR nobody could tell.
        const all = cells.map((row) => [...row, 'end']);
        const text = all.map((row) => csvLine(row, delimiter, '\n')).join('');
        expect(await rowsOf(pieces(text, size), delimiter)).toEqual(all);
      },
    ),
  );
});

test('an unclosed quotation mark is reported long before the end of the file', async () => {
  let given = 0;
  const endless = (async function* () {
    yield 'id,email\n1,"a\nb"\n"';
    for (; given < 10_000; given += 1) yield '2,b@x.test\n'.repeat(1_000);
  })();
  await expect(rowsOf(endless)).rejects.toMatchObject({
    problem: 'damaged',
    message: 'A quotation mark that opens in line 4 is never closed.',
  });
  expect(given).toBeLessThan(200);
});

test('a quotation mark still open at the end is refused with its line', async () => {
  for (const [text, line] of [
    ['id,email\r\n1,a@x.test\r\n"2,b@x.test\r\n', 3],
    ['id\n"Bob" B\nx,"', 3],
  ] as const)
    await expect(rowsOf(pieces(text, 7))).rejects.toThrow(`opens in line ${line} is never closed`);
});

test('an endless row is refused in bounded memory', async () => {
  await expect(rowsOf(pieces('x'.repeat(2_000_000), 100_000))).rejects.toThrow(
    'Row 1 has more than 1,048,576 characters.',
  );
});

test('text behind closing quotation marks is repaired in linear time', async () => {
  const line = '"Bob" B,"Ann" A\n';
  const rows = await rowsOf(pieces(line.repeat(100_000), 131_072));
  expect(rows).toHaveLength(100_000);
  expect(rows.at(-1)).toEqual(['"Bob" B', '"Ann" A']);
});
