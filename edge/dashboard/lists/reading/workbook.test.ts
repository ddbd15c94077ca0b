import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, it } from 'vitest';
import { openTable, UnreadableFile } from './table.ts';

const WORKBOOK =
  '<workbook><workbookPr/><sheets><sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/><sheet name="A &amp; B" sheetId="2" r:id="rId2"/></sheets></workbook>';
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>';
const STYLES =
  '<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>';
const SHARED =
  '<sst><si><t>E-Mail</t></si><si><r><t>Zo</t></r><r><t xml:space="preserve">ë </t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t/></si></sst>';

async function workbook(sheet: string, parts: Record<string, string> = {}): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  const all = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': SHARED,
    ...parts,
  };
  for (const [name, text] of Object.entries(all)) await zip.add(name, new TextReader(text));
  return zip.close();
}

async function read(file: Blob): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of (await openTable(file)).rows()) rows.push(...batch);
  return rows;
}

describe('an Excel workbook', () => {
  it('is the rows of its first sheet that is not hidden, whatever its cells are', async () => {
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
    ]);
  });

  it('counts days from 1904 if it says so', async () => {
    const file = await workbook('<row><c s="1"><v>44885</v></c></row>', {
      'xl/workbook.xml': WORKBOOK.replace('<workbookPr/>', '<workbookPr date1904="1"/>'),
    });
    expect(await read(file)).toEqual([['2026-11-21']]);
  });

  it('may name its elements with a prefix, as some programs do', async () => {
    expect(await read(await workbook('<x:row><x:c r="B1"><x:v>7</x:v></x:c></x:row>'))).toEqual([['', '7']]);
  });

  it('comes whole however long it is', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, n) => `<row r="${n + 1}"><c t="inlineStr"><is><t>user${n}@a.test</t></is></c></row>`,
    );
    const back = await read(await workbook(rows.join('')));
    expect([back.length, back[19_999]]).toEqual([20_000, ['user19999@a.test']]);
  });

  it('that has a row without an end is refused, not held in memory', async () => {
    await expect(read(await workbook(`<row r="1"><c><v>${'1'.repeat(3_000_000)}`))).rejects.toBeInstanceOf(
      UnreadableFile,
    );
  });

  it('is told from another ZIP file', async () => {
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    await zip.add('readme.txt', new TextReader('hello'));
    await expect(read(await zip.close())).rejects.toThrow('not an Excel workbook');
  });
});
