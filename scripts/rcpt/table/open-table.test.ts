import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { xlsxOf } from '../../../schema/lists/testing/xlsx.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { FOUND, openTable, type Reading } from './open-table.ts';
import { pathSource, streamSource } from './source.ts';

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
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => cells));
  return rows;
}

test('a list is read with its columns, and as often as is wanted', async () => {
  const table = await tableOf('id,email\n1,a@x.test\n2\n');
  for (const _ of [1, 2]) expect(await cellsOf(table)).toEqual([['1', 'a@x.test'], ['2']]);
  expect(table).toMatchObject({ names: ['id', 'email'], hasHeader: true, format: 'csv' });
});

test.each<[string, string | Uint8Array, Partial<Reading>, string, string]>([
  [
    'that is not in the encoding that was said',
    Buffer.from('id\n\u00fc@x.test\n', 'latin1'),
    { encoding: 'utf-8' },
    'input',
    'standard input: It is not in utf-8. Say how it is written with --encoding.',
  ],
  [
    'said to be in one that nobody knows',
    'a',
    { encoding: 'klingon' },
    'usage',
    'standard input: Unknown encoding: klingon. Try --encoding windows-1252 or utf-16le.',
  ],
  [
    'with a quotation mark that is never closed',
    'id,email\n1,a@x.test\n"2,b@x.test\n',
    {},
    'input',
    'standard input: A quotation mark that opens in line 3 is never closed.',
  ],
  [
    'with half a line of JSON',
    '{"a":1}\n{"a',
    {},
    'input',
    'standard input: Line 2 is not a JSON object: a list has one object a line, or all of them in one array.',
  ],
  ['that is an old workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), {}, 'input', 'Save it as .xlsx or CSV first.'],
])('a list %s is a failure with what to do', async (_name, bytes, reading, ending, message) => {
  const read = tableOf(bytes, reading, 1_000).then(cellsOf);
  await expect(read).rejects.toMatchObject({ name: 'Failure', ending, message: expect.stringContaining(message) });
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
    await writeFile(path, await xlsxOf(SHEETS));
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

  test('is known by its first bytes, and one that is broken is refused', async () => {
    const bytes = await xlsxOf(SHEETS);
    expect(await cellsOf(await tableOf(bytes))).toHaveLength(2);
    await expect(tableOf(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ ending: 'input' });
    await expect(tableOf('email\n', { format: 'xlsx' })).rejects.toMatchObject({ ending: 'input' });
  });
});

test('any bytes end in a table or a failure, and in nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, piece) => {
      const read = tableOf(bytes, {}, piece).then(cellsOf);
      await read.catch((error: unknown) => expect(error).toMatchObject({ name: 'Failure' }));
    }),
    { numRuns: 200 },
  );
});
