import { TextReader, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../testing/source.ts';
import { xlsxOf } from '../testing/xlsx.ts';
import type { Row } from './row.ts';
import { openWorkbook } from './workbook.ts';

const WORKBOOK =
  '<workbook><workbookPr/><sheets><sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/><sheet name="A &amp; B" sheetId="2" r:id="rId2"/></sheets></workbook>';
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="rId3" Type="http://example.test/relationships/styles" Target="styles.xml"/><Relationship Id="rId4" Type="http://example.test/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>';
const STYLES =
  '<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>';
const SHARED =
  '<sst><si><t>E-Mail</t></si><si><r><t>Zo</t></r><r><t xml:space="preserve">ë </t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t/></si></sst>';

async function zipOf(parts: Record<string, string | Uint8Array>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, part] of Object.entries(parts))
    await zip.add(name, typeof part === 'string' ? new TextReader(part) : new Uint8ArrayReader(part));
  return zip.close();
}

function workbook(sheet: string, parts: Record<string, string> = {}): Promise<Uint8Array> {
  return zipOf({
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': SHARED,
    ...parts,
  });
}

async function rowsOf(file: Uint8Array, sheet: string | null = null): Promise<readonly Row[]> {
  const rows = [];
  for await (const batch of (await openWorkbook(sourceOf(file), sheet)).rows()) rows.push(...batch);
  return rows;
}

async function read(file: Uint8Array, sheet: string | null = null): Promise<(readonly string[])[]> {
  return (await rowsOf(file, sheet)).map(({ cells }) => [...cells]);
}

const formula = (type: string, value: string): string =>
  `<row r="2"><c r="B2"${type}><f>A2&amp;"b"</f>${value}</c></row>`;
const rowOf = (place: string): string =>
  `<row r="${place.slice(1)}"><c r="${place}" t="inlineStr"><is><t>${place}</t></is></c></row>`;
const SHEET =
  '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>é@x.test</t></is></c></row>';
const TWO = 'xl/worksheets/sheet2.xml';
const CHART = 'Id="rId1" Type="http://x.test/chartsheet" Target';
const PLAIN = {
  '_rels/.rels':
    '<Relationships><Relationship Id="r1" Type="http://x.test/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml': WORKBOOK,
  'xl/_rels/workbook.xml.rels': RELATIONS,
  [TWO]: `<worksheet><sheetData>${SHEET}</sheetData></worksheet>`,
  'xl/sharedStrings.xml': SHARED,
};
/** Every part of a plain workbook, and its name, as another program would write it. */
function everywhere(text: (part: string) => string, name = (part: string) => part): Record<string, string> {
  return Object.fromEntries(Object.entries(PLAIN).map(([part, content]) => [name(part), text(content)]));
}

const renamed = (from: string, to: string, text: (part: string) => string) =>
  everywhere(text, (name) => name.replace(from, to));

describe('an Excel workbook', () => {
  it('is read from its first visible sheet, with cells of every type', async () => {
    const sheet = [
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
      '<row r="3" spans="1:4"><c r="A3" t="inlineStr"><is><t>a&lt;b&#233;</t></is></c><c r="B3"><v>4.9000000000000004</v></c>',
      '<c r="C3" t="b"><v>1</v></c><c r="D3" t="str"><f>A1&amp;"x"</f><v>made</v></c></row>',
      '<row r="4"><c r="A4" s="1"><v>46347</v></c><c r="B4" s="2"><v>46347.4375</v></c><c r="C4" s="3"><v>-12.5</v></c></row>',
      '<row r="5"/><row r="6"><c r="A6" t="s"><v>2</v></c></row>',
    ].join('');
    expect(await read(await workbook(sheet))).toEqual([
      ['E-Mail', '', 'Zoë '],
      ['a<bé', '4.9', 'TRUE', 'made'],
      ['2026-11-21', '2026-11-21 10:30:00', '-12.5'],
      [],
      [],
    ]);
  });

  it.each([
    [
      'behind a cover',
      { Cover: [['Customers', '2026']], Data: [['Mail'], ['a@x.test']], More: [['b@x.test']] },
      'Data',
    ],
    ['behind an empty one', { Sheet1: [], Data: [['Mail'], ['a@x.test']] }, 'Data'],
    ['and is the first if none has any', { Sheet1: [['a']], Sheet2: [['b']] }, 'Sheet1'],
  ])('is read from the first sheet with an address, %s', async (_where, sheets, name) => {
    const { sheet, others } = await openWorkbook(sourceOf(await xlsxOf(sheets)), null);
    expect([sheet, ...others].toSorted()).toEqual(Object.keys(sheets).toSorted());
    expect(sheet).toBe(name);
  });

  it('with a formula that was never calculated is known as one; an empty text is a result', async () => {
    expect(await read(await workbook(formula(' t="str"', '<v></v>')))).toEqual([[]]);
    const settings = { 'xl/workbook.xml': WORKBOOK.replace('</sheets>', '</sheets><calcPr fullCalcOnLoad="1"/>') };
    for (const [type, value, parts] of [
      ['', '', {}],
      [' t="str"', '<is/>', {}],
      // As openpyxl writes it, and as XlsxWriter does.
      ['', '<v></v>', {}],
      ['', '<v/>', {}],
      ['', '<v>0</v>', settings],
    ] as const)
      expect(await rowsOf(await workbook(formula(type, value), parts))).toMatchObject([
        { cells: ['', ''], kinds: ['text', 'formula'], line: 2 },
      ]);
    expect(await read(await workbook(formula('', '<v>0</v>')))).toEqual([['', '0']]);
  });

  it('may have a row for each of its cells', async () => {
    const rows = ['A1', 'B1', 'C1', 'A2', 'C2', 'B4'].map((place) => rowOf(place));
    expect(await read(await workbook(rows.join('')))).toEqual([
      ['A1', 'B1', 'C1'],
      ['A2', '', 'C2'],
      ['', 'B4'],
    ]);
  });

  it.each([
    ['[h]:mm', '1.25', '30:00'],
    ['[hh]:mm:ss', '1.25', '30:00:00'],
    ['[mm]:ss', '0.0208333333333333', '30:00'],
    ['[s]', '0.5', '43200'],
    ['[h]" h "mm', '-2.5', '-60 h 00'],
    ['[$-F400]h:mm:ss', '0.5', '12:00:00'],
  ])('has durations as they are shown: %s', async (code, days, shown) => {
    const styles = { 'xl/styles.xml': STYLES.replace('yyyy\\-mm\\-dd\\ hh:mm', code.replaceAll('"', '&quot;')) };
    expect(await read(await workbook(`<row><c s="2"><v>${days}</v></c></row>`, styles))).toEqual([[shown]]);
  });

  it('that is binary is called so', async () => {
    const binary = { '_rels/.rels': PLAIN['_rels/.rels'].replace('.xml', '.bin'), 'xl/workbook.bin': 'x' };
    await expect(read(await zipOf(binary))).rejects.toThrow(
      'This is a binary Excel workbook (.xlsb). Save it as .xlsx',
    );
  });

  it('may count days from 1904', async () => {
    const file = await workbook('<row><c s="1"><v>44885</v></c></row>', {
      'xl/workbook.xml': WORKBOOK.replace('<workbookPr/>', '<workbookPr date1904="1"/>'),
    });
    expect(await read(file)).toEqual([['2026-11-21']]);
  });

  it.each<[string, Record<string, string | Uint8Array>]>([
    ['prefixed names of elements', everywhere((part) => part.replaceAll(/<(\/?)(?=\w)/g, '<$1x:'))],
    ['attributes in single quotes', everywhere((part) => part.replaceAll('"', "'"))],
    ['a very hidden sheet in front', everywhere((part) => part.replace('"hidden"', '"veryHidden"'))],
    ['another prefix of relations', everywhere((part) => part.replaceAll(' r:id', ' ns2:id'))],
    ['white space inside tags', everywhere((part) => part.replaceAll('=', ' = ').replaceAll('>', '\n>'))],
    ['CDATA', everywhere((part) => part.replaceAll(/<t>([^<]+)/g, '<t><![CDATA[$1]]>'))],
    ['comments', everywhere((part) => part.replaceAll('<row', '<!-- <row><c><v>1</v></c></row> --><row'))],
    ['a tag with a > in it', everywhere((part) => part.replaceAll('<c ', '<c x="a>b" '))],
    ['other cases in the names of its parts', everywhere(String, (name) => name.replace('shared', 'Shared'))],
    ['backslashes in the names of its parts', everywhere(String, (name) => name.replaceAll('/', '\\'))],
    ['spaces in the names of its parts', renamed('sharedS', 'a b/s', (part) => part.replace('"sharedS', '"a%20b/s'))],
    [
      'links that are none',
      everywhere((part) => part.replace('<Rel', '<Relationship Id="r9" Target="http://[%"/><Rel')),
    ],
    ['relative and absolute targets', everywhere((part) => part.replace('"shared', '"../xl/./shared'))],
    ['a workbook under another name', renamed('xl/', 'a/', (part) => part.replace('xl/w', 'a/w'))],
    ['other names of its parts', renamed('sharedS', 'texts/s', (part) => part.replace('"sharedS', '"texts/s'))],
    ['a byte order mark', everywhere((part) => `\uFEFF${part}`)],
    [
      'a chart before its sheets',
      everywhere((part) => part.replace('"hidden"', '"visible"').replace('Id="rId1" Target', CHART)),
    ],
  ])('may have %s', async (_name, parts) => {
    const file = await zipOf({ 'xl/worksheets/sheet1.xml': '<chartsheet/>', ...parts });
    expect(await read(file)).toEqual([['E-Mail'], ['é@x.test']]);
  });

  it('in Latin-1 is refused, and no address is read wrongly', async () => {
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${PLAIN[TWO]}`, 'latin1');
    await expect(read(await zipOf({ ...PLAIN, [TWO]: latin }))).rejects.toThrow('The workbook is damaged');
  });

  it('with a cell whose text is missing is refused', async () => {
    await expect(read(await workbook('<row><c t="s"><v>7</v></c></row>'))).rejects.toThrow(
      'a text of a cell is missing',
    );
    const cells = '<row><c t="s"><v></v></c><c t="b"><v>true</v></c></row>';
    expect(await read(await workbook(cells))).toEqual([['', 'TRUE']]);
  });

  it('of any length is read whole', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, n) => `<row r="${n + 1}"><c t="inlineStr"><is><t>user${n}@a.test</t></is></c></row>`,
    );
    const back = await read(await workbook(rows.join('')));
    expect([back.length, back[19_999]]).toEqual([20_000, ['user19999@a.test']]);
  });

  it('with a damaged directory is refused, and not waited for', async () => {
    const file = Buffer.from(await workbook('<row><c><v>1</v></c></row>'));
    // How long the first part is, compressed: more than there is.
    file.writeUInt32LE(0x0fff_ffff, file.indexOf('PK\x01\x02') + 20);
    await expect(read(file)).rejects.toThrow('The workbook is damaged');
  });

  it('is distinguished from other ZIP files', async () => {
    await expect(zipOf({ 'readme.txt': 'hello' }).then((file) => read(file))).rejects.toThrow('not an Excel workbook');
  });

  it('keeps the digits of entered numbers, and rounds calculated ones as Excel does', async () => {
    const numbers = ['12345678901234567890', '0.10', '4.9000000000000004', '1E3', '-0.30000000000000004'];
    const cells = numbers.map((number) => `<c><v>${number}</v></c>`).join('');
    expect(await read(await workbook(`<row>${cells}</row>`))).toEqual([
      ['12345678901234567890', '0.10', '4.9', '1000', '-0.30000000000000004'],
    ]);
  });

  it('is read from the sheet asked for, hidden or not', async () => {
    const file = await workbook('<row><c><v>1</v></c></row>', {
      'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>',
    });
    expect([await read(file, 'A & B'), await read(file, 'Notes')]).toEqual([[['1']], [['2']]]);
    expect(await openWorkbook(sourceOf(file), 'Notes')).toMatchObject({ sheet: 'Notes', others: ['A & B'] });
    await expect(read(file, 'None')).rejects.toThrow('There is no sheet "None". There are "A & B".');
  });

  it('is not read beyond its rows', async () => {
    const links = '<hyperlink ref="A1" r:id="rId1"/>'.repeat(60_000);
    const file = await workbook('', {
      'xl/worksheets/sheet2.xml': `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData><hyperlinks>${links}</hyperlinks></worksheet>`,
    });
    expect(await read(file)).toEqual([['1']]);
  });

  it.each([
    ['a row beyond those of Excel', '<row r="1048577"/>', {}, 'more rows'],
    ['a row behind the last of Excel', '<row r="1048576"/><row/>', {}, 'more rows'],
    ['names of sheets without an end', '', { 'xl/workbook.xml': `${WORKBOOK}${' '.repeat(21_000_000)}` }, 'too large'],
    ['a value that never ends', `<row><c><v>${'1'.repeat(3_000_000)}`, {}, 'does not end'],
    ['a tag that never ends', '', { 'xl/styles.xml': `<cellXfs ${'a'.repeat(300_000)}` }, 'a tag does not end'],
    ['a comment that never ends', `<row><!--${'-'.repeat(3_000_000)}`, {}, 'does not end'],
    ['rows that begin and never end', '<row>'.repeat(300_000), {}, 'does not end'],
  ])('with %s is refused early', async (_name, sheet, parts, words) => {
    const file = await workbook(sheet, { 'xl/worksheets/sheet2.xml': `<sheetData>${sheet}`, ...parts });
    await expect(read(file)).rejects.toThrow(words);
  });
});
