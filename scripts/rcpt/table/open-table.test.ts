import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { xlsxOf } from '../testing/xlsx.ts';
import { openTable, type Reading } from './open-table.ts';
import { pathSource, streamSource } from './source.ts';
import type { Table } from './table.ts';

const FOUND: Reading = { format: null, encoding: null, delimiter: null, hasHeader: null, sheet: null };

/** These bytes as standard input, in pieces of this size. */
async function tableOf(bytes: string | Uint8Array, reading: Partial<Reading> = {}, piece = 7): Promise<Table> {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const pieces = (async function* () {
    for (let at = 0; at < all.length; at += piece) yield all.subarray(at, at + piece);
  })();
  return openTable(await streamSource('standard input', pieces), { ...FOUND, ...reading }, () => {});
}

async function cellsOf(table: Table): Promise<readonly (readonly string[])[]> {
  const rows = [];
  for await (const { cells } of table.rows()) rows.push(cells);
  return rows;
}

describe('a list in CSV', () => {
  test.each<[string, string, readonly string[], readonly (readonly string[])[]]>([
    ['with commas', 'id,email\n1,a@x.test\n', ['id', 'email'], [['1', 'a@x.test']]],
    ['without a last line end', 'id,email\n1,a@x.test', ['id', 'email'], [['1', 'a@x.test']]],
    ['with semicolons and CRLF', 'id;email\r\n1;a@x.test\r\n', ['id', 'email'], [['1', 'a@x.test']]],
    [
      'with commas in cells that semicolons part',
      'n;email\n"1,5";a@x.test\n2,5;b@x.test\n',
      ['n', 'email'],
      [
        ['1,5', 'a@x.test'],
        ['2,5', 'b@x.test'],
      ],
    ],
    ['with tabs', 'id\temail\n1\ta@x.test\n', ['id', 'email'], [['1', 'a@x.test']]],
    ['with a byte order mark', '\ufeffemail,id\na@x.test,1\n', ['email', 'id'], [['a@x.test', '1']]],
    [
      'with quotes, line ends and delimiters in cells',
      'id,email\n"1 ""x"",\r\n2",a@x.test\n',
      ['id', 'email'],
      [['1 "x",\r\n2', 'a@x.test']],
    ],
    [
      'with a quote in the middle of a cell',
      'size,email\n5" disk,a@x.test\n"Bob" B,b@x.test\n',
      ['size', 'email'],
      [
        ['5" disk', 'a@x.test'],
        ['"Bob" B', 'b@x.test'],
      ],
    ],
    ['with one column', 'email\na@x.test\nb@x.test\n', ['email'], [['a@x.test'], ['b@x.test']]],
    [
      'with rows that are shorter and longer',
      'id,email\n1\n2,a@x.test,more\n',
      ['id', 'email', ''],
      [['1'], ['2', 'a@x.test', 'more']],
    ],
    [
      'without a header',
      '1,a@x.test\n2,b@x.test\n',
      ['column_1', 'column_2'],
      [
        ['1', 'a@x.test'],
        ['2', 'b@x.test'],
      ],
    ],
    ['with an empty line', 'email\na@x.test\n\nb@x.test\n', ['email'], [['a@x.test'], [''], ['b@x.test']]],
    ['with nothing in it', '', [], []],
    ['with line ends of the old Mac', 'id,email\r1,a@x.test\r', ['id', 'email'], [['1', 'a@x.test']]],
  ])('%s is read as it stands, however its bytes arrive', async (_name, text, names, rows) => {
    for (const piece of [1, 2, 3, 1_000]) {
      const table = await tableOf(text, {}, piece);
      expect(await cellsOf(table)).toEqual(rows);
      expect(table.names).toEqual(names);
      // A second time it is the same.
      expect(await cellsOf(table)).toEqual(rows);
    }
  });

  test.each([
    [
      'UTF-16 with a mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('id,email\n1,ü@x.test\n', 'utf16le')]),
      {},
    ],
    ['UTF-16 without one', Buffer.from('id,email\n1,ü@x.test\n', 'utf16le'), {}],
    [
      'UTF-16 the other way round',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('id,email\n1,ü@x.test\n', 'utf16le').swap16()]),
      {},
    ],
    ['Windows-1252, if it is said', Buffer.from('id,email\n1,\u00fc@x.test\n', 'latin1'), { encoding: 'windows-1252' }],
  ])('in %s is read', async (_name, bytes, reading) => {
    expect(await cellsOf(await tableOf(bytes, reading))).toEqual([['1', 'ü@x.test']]);
  });

  test('whose bytes are no text is refused with the way to say what they are', async () => {
    const table = tableOf(Buffer.from('id,email\n1,\u00fc@x.test\n', 'latin1')).then(cellsOf);
    await expect(table).rejects.toMatchObject({ ending: 'input', message: expect.stringContaining('--encoding') });
    await expect(tableOf('a', { encoding: 'klingon' })).rejects.toMatchObject({ ending: 'usage' });
  });

  test('whose quote is never closed is refused with its place, at its end or in the middle of a long file', async () => {
    const open = 'id,email\n1,a@x.test\n"2,b@x.test\n';
    for (const text of [open, `${open}${'3,c@x.test\n'.repeat(200_000)}`])
      await expect(tableOf(text, {}, 65_536).then(cellsOf)).rejects.toMatchObject({
        ending: 'input',
        message: 'standard input: a quote that opens after row 2 is never closed.',
      });
  });
});

describe('a list in JSONL', () => {
  test('has the keys of all its lines for columns, and its lines as they stand', async () => {
    const lines = [
      '{"email":"a@x.test","n":12345678901234567890}',
      '',
      '{ "other": null, "email": "b@x.test", "tags": ["x"] }',
    ];
    const table = await tableOf(`${lines.join('\r\n')}\r\n`);
    expect(table.format).toBe('jsonl');
    const rows = [];
    for await (const row of table.rows()) rows.push(row);
    expect(table.names).toEqual(['email', 'n', 'other', 'tags']);
    expect(rows.map(({ raw }) => raw)).toEqual([lines[0], lines[2]]);
    expect(rows[1]?.cells).toEqual(['b@x.test', '', '', '["x"]']);
  });

  test.each([
    ['nothing that is an object', '{"email":"a@x.test"}\n["b@x.test"]\n'],
    ['half a line', '{"email":"a@x.test"}\n{"ema'],
  ])('with %s is refused with the line', async (_name, text) => {
    const rows = tableOf(text).then(cellsOf);
    await expect(rows).rejects.toThrow('standard input, line 2: expected a JSON object.');
  });
});

test('a pipe that has a name is read as often as a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-pipe-'));
  const path = join(folder, 'list.csv');
  await promisify(execFile)('mkfifo', [path]);
  const [source] = await Promise.all([pathSource(path), writeFile(path, 'id,email\n1,a@x.test\n')]);
  const table = await openTable(source, FOUND, () => {});
  const once = await cellsOf(table);
  expect([once, await cellsOf(table)]).toEqual([[['1', 'a@x.test']], [['1', 'a@x.test']]]);
  await rm(folder, { recursive: true });
});

test.each([
  ['a text of addresses', 'email\na@x.test\nb@x.test\n', [['email'], ['a@x.test'], ['b@x.test']]],
  ['a table with columns', 'id\temail\n1\ta@x.test\n', [['1', 'a@x.test']]],
])('%s may be called .txt', async (_name, text, cells) => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-text-'));
  await writeFile(join(folder, 'list.txt'), text);
  const table = await openTable(await pathSource(join(folder, 'list.txt')), FOUND, () => {});
  expect(await cellsOf(table)).toEqual(cells);
  await rm(folder, { recursive: true });
});

test.each([
  ['an old spreadsheet', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], /\.xlsx/],
  ['a compressed file', [0x1f, 0x8b, 8, 0], /gunzip/],
])('%s is refused with what to do', async (_name, bytes, words) => {
  const table = tableOf(Uint8Array.from(bytes));
  await expect(table).rejects.toMatchObject({ ending: 'input', message: expect.stringMatching(words) });
});

test('a text has one address a line, whatever characters are in it', async () => {
  const table = await tableOf('"a, b"@x.test\r\n\nb@x.test', { format: 'text' });
  expect(await cellsOf(table)).toEqual([['"a, b"@x.test'], [''], ['b@x.test']]);
  expect(table).toMatchObject({ names: ['email'], hasHeader: false });
});

describe('a spreadsheet', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-sheet-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const SHEETS = {
    People: [
      ['Name', 'E-Mail', 'No'],
      ['Ann', 'a@x.test', '12345678901234567890'],
      ['Bob', 'b@x.test', '0.10'],
    ],
    Others: [['email'], ['c@x.test']],
  };

  test('is read with its numbers as they stand; other sheets are named, and read if they are wanted', async () => {
    const path = join(folder, 'list.xlsx');
    await writeFile(path, xlsxOf(SHEETS));
    const notes: string[] = [];
    const table = await openTable(await pathSource(path), FOUND, (line) => notes.push(line));
    expect(await cellsOf(table)).toEqual(SHEETS.People.slice(1));
    expect(table.names).toEqual(['Name', 'E-Mail', 'No']);
    expect(notes).toEqual([expect.stringContaining('"People" is read')]);
    const other = await openTable(await pathSource(path), { ...FOUND, sheet: 'Others' }, () => {});
    expect(await cellsOf(other)).toEqual([['c@x.test']]);
    await expect(openTable(await pathSource(path), { ...FOUND, sheet: 'None' }, () => {})).rejects.toMatchObject({
      ending: 'usage',
      message: expect.stringContaining('"People", "Others"'),
    });
  });

  test('shows its dates as dates, and an empty row stays', async () => {
    const sheet = [['email', 'Born'], ['a@x.test', 'date:36526'], [], ['b@x.test', 'date:36526.75']];
    const rows = await cellsOf(await tableOf(xlsxOf({ Sheet: sheet })));
    const [first, second, third] = rows.map((cells) => cells.filter((cell) => cell !== ''));
    expect([first, second, third]).toEqual([['a@x.test', '2000-01-01'], [], ['b@x.test', '2000-01-01T18:00:00.000Z']]);
  });

  test('is known by its first bytes, and one that is broken is refused', async () => {
    const bytes = xlsxOf(SHEETS);
    expect(await cellsOf(await tableOf(bytes))).toHaveLength(2);
    await expect(tableOf(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ ending: 'input' });
    await expect(tableOf('email\n', { format: 'xlsx' })).rejects.toMatchObject({ ending: 'input' });
  });
});

test('whatever is no list ends in a table or a failure, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, piece) => {
      const read = tableOf(bytes, {}, piece).then(cellsOf);
      await read.catch((error: unknown) => expect(error).toMatchObject({ name: 'Failure' }));
    }),
    { numRuns: 200 },
  );
});
