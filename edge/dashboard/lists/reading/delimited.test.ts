import { describe, expect, it } from 'vitest';
import { openTable, type Table, UnreadableFile } from './table.ts';

async function rowsOf(table: Table): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of table.rows()) rows.push(...batch);
  return rows;
}
const read = async (...parts: (string | Uint8Array<ArrayBuffer>)[]) => rowsOf(await openTable(new Blob(parts)));

describe('a text file', () => {
  it.each([
    ['commas', 'a,b\nc,d\n'],
    ['semicolons and CRLF', 'a;b\r\nc;d\r\n'],
    ['tabs', 'a\tb\nc\td'],
    ['quotes', '"a","b"\n"c","d"\n'],
    ['empty lines', '\na,b\n\nc,d\n\n'],
    ['a byte order mark', '\uFEFFa,b\nc,d'],
  ])('with %s is its rows', async (_name, text) => {
    expect(await read(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('of one column is that column', async () => {
    expect(await read('ann@a.test\nbob@b.test\n')).toEqual([['ann@a.test'], ['bob@b.test']]);
  });

  it('keeps line breaks and separators in quotes', async () => {
    expect(await read('a,"one,\ntwo ""2"""\nb,c\n')).toEqual([
      ['a', 'one,\ntwo "2"'],
      ['b', 'c'],
    ]);
  });

  it('is read as Windows-1252 if it is not UTF-8, and says so', async () => {
    const table = await openTable(new Blob([new Uint8Array([0x4d, 0xfc, 0x6c, 0x2c, 0x31, 0x0a])]));
    expect(await rowsOf(table)).toEqual([['Mül', '1']]);
    expect(table.remark).toContain('Windows-1252');
  });

  it('may be UTF-16, as Excel writes "Unicode text"', async () => {
    const text = 'a\tü\nb\tc\n';
    const bytes = new Uint8Array([
      0xff,
      0xfe,
      ...Array.from(text, (sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]).flat(),
    ]);
    expect(await read(bytes)).toEqual([
      ['a', 'ü'],
      ['b', 'c'],
    ]);
  });

  it('comes whole however long it is: signs and rows are cut nowhere', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => [String(n), `"Zoë, ${n}"`, `ü${n}@bücher.test`]);
    const back = await read(rows.map((row) => row.join(',')).join('\n'));
    expect(back).toEqual(rows.map(([id = '', name = '', email = '']) => [id, name.slice(1, -1), email]));
  });

  it('with a quote that is never closed is refused in words, not held in memory', async () => {
    const text = `a,b\n1,"open${'x\n'.repeat(1_000_000)}`;
    await expect(read(text)).rejects.toThrow(/quotation mark/);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['an old Excel file', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])],
    ['half a ZIP file', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2, 3])],
  ])('that is %s is refused in words', async (_name, bytes) => {
    await expect(read(bytes)).rejects.toBeInstanceOf(UnreadableFile);
  });
});
