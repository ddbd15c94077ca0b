import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

// A spreadsheet as small as Excel takes it, and with what Excel puts into one: strings that are shared among cells,
// numbers, and dates, which are numbers with a style.

type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DATE = /^date:/;
const NUMBER = /^\d+(\.\d+)?$/;

/** @param sheets rows by the sheet's name; a cell is a text, a number, or a date as `date:` and days since 1899 */
export async function xlsxOf(sheets: Sheets): Promise<Buffer> {
  const names = Object.keys(sheets);
  const texts = Object.values(sheets)
    .flat(2)
    .filter((cell) => !DATE.test(cell) && !NUMBER.test(cell));
  const shared = [...new Set(texts)];
  const cellXml = (cell: string, place: string): string => {
    if (DATE.test(cell)) return `<c r="${place}" s="1"><v>${cell.replace(DATE, '')}</v></c>`;
    if (NUMBER.test(cell)) return `<c r="${place}"><v>${cell}</v></c>`;
    return `<c r="${place}" t="s"><v>${shared.indexOf(cell)}</v></c>`;
  };
  const rowXml = (cells: readonly string[], row: number): string =>
    `<row r="${row + 1}">${cells.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${row + 1}`)).join('')}</row>`;
  const sheetXml = (name: string): string =>
    `<worksheet xmlns="${MAIN}"><sheetData>${(sheets[name] ?? []).map(rowXml).join('')}</sheetData></worksheet>`;
  const sheetTags = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
    '_rels/.rels': relations({ 'xl/workbook.xml': 'officeDocument' }),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheetTags.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, at) => [`worksheets/sheet${at + 1}.xml`, 'worksheet'])),
      'sharedStrings.xml': 'sharedStrings',
      'styles.xml': 'styles',
    }),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(name)])),
  };
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, text] of Object.entries(parts)) await zip.add(name, new TextReader(text));
  return Buffer.from(await zip.close());
}

/** The sheets come first, so that their numbers are those of their names. */
function relations(types: Readonly<Record<string, string>>): string {
  const tags = Object.entries(types).map(
    ([target, type], at) => `<Relationship Id="s${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${tags.join('')}</Relationships>`;
}
