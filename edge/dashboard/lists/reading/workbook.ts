import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { elements, textOf, attributesOf } from './markup.ts';
import { dateStyles, readCell, type Lookups } from './sheet-cell.ts';
import { breather, ROWS_MAX, type Table, UnreadableFile } from './table.ts';

// Excel's .xlsx (ECMA-376): a ZIP file of XML. The browser inflates it as it is read; what is held is one row, and the
// strings that the cells share.

configure({ useWebWorkers: false });

const SHARED_CHARS_MAX = 400_000_000;
/** Of a part that is read at once: the names of the sheets, the styles. */
const PART_BYTES_MAX = 20_000_000;

type Parts = ReadonlyMap<string, FileEntry>;

/** @throws UnreadableFile */
export async function openWorkbook(file: Blob): Promise<Table> {
  const parts = await partsOf(file);
  const workbook = await textOfPart(parts, 'xl/workbook.xml');
  if (workbook === null) throw new UnreadableFile('This ZIP file is not an Excel workbook.');
  const sheets = attributesOf(workbook, 'sheet').filter((sheet) => sheet.get('state') !== 'hidden');
  const [first] = sheets;
  const path = first === undefined ? null : await pathOf(parts, first.get('r:id') ?? first.get('id') ?? '');
  const sheet = path === null ? undefined : parts.get(path);
  if (first === undefined || sheet === undefined)
    throw new UnreadableFile('The workbook has no sheet that can be read.');
  const is1904 = attributesOf(workbook, 'workbookPr').some((settings) =>
    /^(1|true)$/.test(settings.get('date1904') ?? ''),
  );
  const lookups = {
    shared: await sharedStrings(parts.get('xl/sharedStrings.xml')),
    dateStyles: dateStyles((await textOfPart(parts, 'xl/styles.xml')) ?? ''),
    is1904,
  };
  return {
    delimiter: ',',
    remark:
      sheets.length > 1
        ? `The workbook has ${sheets.length} sheets. The first, “${first.get('name') ?? ''}”, is read.`
        : null,
    rows: () => rowsOf(sheet, lookups),
  };
}

async function partsOf(file: Blob): Promise<Parts> {
  try {
    const entries = await new ZipReader(new BlobReader(file)).getEntries();
    return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry] as const])));
  } catch (error) {
    throw new UnreadableFile('The file is damaged: it begins like an Excel workbook, but is not whole.', {
      cause: error,
    });
  }
}

/** Where the sheet of this relation is. */
async function pathOf(parts: Parts, id: string): Promise<string | null> {
  const relations = await textOfPart(parts, 'xl/_rels/workbook.xml.rels');
  const target = attributesOf(relations ?? '', 'Relationship')
    .find((relation) => relation.get('Id') === id)
    ?.get('Target');
  if (target === undefined) return null;
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

async function sharedStrings(part: FileEntry | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  const breathe = breather();
  let chars = 0;
  for await (const batch of elements(inflated(part), 'si')) {
    for (const element of batch) {
      const text = textOf(element);
      chars += text.length;
      strings.push(text);
    }
    if (chars > SHARED_CHARS_MAX) throw new UnreadableFile('The workbook is too large. Save the list as CSV.');
    await breathe();
  }
  return strings;
}

async function* rowsOf(part: FileEntry, lookups: Lookups): AsyncGenerator<string[][], undefined> {
  const breathe = breather();
  let count = 0;
  for await (const batch of elements(inflated(part), 'row')) {
    const rows = batch.map((row) => readRow(row, lookups)).filter((row) => row.some((cell) => cell !== ''));
    count += batch.length;
    if (count > ROWS_MAX)
      throw new UnreadableFile('The sheet has more than a million rows. Split it into smaller ones.');
    if (rows.length > 0) yield rows;
    await breathe();
  }
}

const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
/** Excel's own. */
const COLUMNS_MAX = 16_384;

function readRow(element: string, lookups: Lookups): string[] {
  const cells: string[] = [];
  for (const [, attributes = '', content = ''] of element.matchAll(CELL)) {
    const column = columnOf(attributes) ?? cells.length;
    if (column >= COLUMNS_MAX) continue;
    while (cells.length < column) cells.push('');
    cells[column] = readCell(attributes, content, lookups);
  }
  return cells;
}

/** `r="AB12"` → 27 */
function columnOf(attributes: string): number | null {
  const letters = /\br="([A-Z]{1,3})\d/.exec(attributes)?.[1];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

async function textOfPart(parts: Parts, name: string): Promise<string | null> {
  const part = parts.get(name);
  if (part === undefined) return null;
  if (part.uncompressedSize > PART_BYTES_MAX)
    throw new UnreadableFile('The workbook is too large. Save the list as CSV.');
  let text = '';
  for await (const piece of inflated(part)) text += piece;
  return text;
}

/** The part's text, as it is inflated. */
async function* inflated(part: FileEntry): AsyncGenerator<string, undefined> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const failure = part.getData(writable).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const utf8 = new TextDecoder();
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield utf8.decode(value, { stream: true });
    }
  } catch (error) {
    throw new UnreadableFile('The workbook is damaged, or has a password.', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
  const failed = await failure;
  if (failed !== null) throw new UnreadableFile('The workbook is damaged, or has a password.', { cause: failed.error });
}
