import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { attributesOf, cutAt, elements, textOf as wordsOf } from './markup.ts';
import type { CellKind, Row, Rows } from './row.ts';
import { dateStyles, readCell, type Lookups } from './sheet-cell.ts';
import type { Source } from './source.ts';
import { UnreadableList } from './unreadable.ts';

// Bytes → rows, for Excel's .xlsx (ECMA-376), a ZIP file of XML. It is inflated as it is read: memory holds a batch of rows and
// the shared strings.

configure({ useWebWorkers: false });

const SHARED_CHARACTERS_MAX = 400_000_000;
const SHARED_MAX = 20_000_000;
/** Of a part that is read whole: the names of the sheets, the styles. */
const PART_CHARACTERS_MAX = 20_000_000;
/** Excel's own. */
export const ROWS_MAX = 1_048_576;
export const COLUMNS_MAX = 16_384;

type Parts = ReadonlyMap<string, FileEntry>;

type Workbook = {
  /** The sheet that is read. */
  readonly sheet: string;
  /** The other visible sheets. */
  readonly others: readonly string[];
  readonly rows: () => Rows;
};

/**
 * @param wanted the name of a sheet; null: the first that is not hidden
 * @throws UnreadableList
 */
export async function openWorkbook(source: Source, wanted: string | null): Promise<Workbook> {
  const parts = await partsOf(source);
  const workbook = await textOf(parts.get('xl/workbook.xml'));
  if (workbook === null) throw new UnreadableList('not a list', 'This ZIP file is not an Excel workbook.');
  const sheets = attributesOf(workbook, 'sheet');
  const shown = sheets.filter((each) => !/^(?:veryH|h)idden$/.test(each.get('state') ?? ''));
  const names = shown.map((each) => each.get('name') ?? '');
  const found = wanted === null ? (shown[0] ?? sheets[0]) : sheets.find((each) => each.get('name') === wanted);
  if (found === undefined && wanted !== null) {
    const listed = names.map((each) => JSON.stringify(each)).join(', ');
    throw new UnreadableList('no such sheet', `There is no sheet ${JSON.stringify(wanted)}. There are ${listed}.`);
  }
  const relations = attributesOf((await textOf(parts.get('xl/_rels/workbook.xml.rels'))) ?? '', 'Relationship');
  const id = found?.get('r:id') ?? found?.get('id');
  const part = partOf(parts, relations.find((each) => each.get('Id') === id)?.get('Target'));
  const targetOf = (type: string): string | undefined =>
    relations.find((each) => each.get('Type')?.endsWith(`/${type}`) === true)?.get('Target');
  if (found === undefined || part === undefined)
    throw new UnreadableList('damaged', 'The workbook has no sheet that can be read.');
  const is1904 = attributesOf(workbook, 'workbookPr').some((settings) =>
    /^(1|true)$/.test(settings.get('date1904') ?? ''),
  );
  const lookups = {
    shared: await sharedStrings(partOf(parts, targetOf('sharedStrings'))),
    dateStyles: dateStyles((await textOf(partOf(parts, targetOf('styles')))) ?? ''),
    is1904,
  };
  const sheet = found.get('name') ?? '';
  return { sheet, others: names.filter((each) => each !== sheet), rows: () => rowsOf(part, lookups) };
}

/** The ZIP library's view of a source. */
class SourceReader extends Reader<Source> {
  readonly #source: Source;

  constructor(source: Source) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#source.read(offset, offset + length);
  }
}

async function partsOf(source: Source): Promise<Parts> {
  try {
    const entries = await new ZipReader(new SourceReader(source)).getEntries();
    return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry] as const])));
  } catch (error) {
    throw new UnreadableList('damaged', 'The file is damaged: it starts like an Excel workbook but is incomplete.', {
      cause: error,
    });
  }
}

/** The target of a relation of the workbook. */
function partOf(parts: Parts, target: string | undefined): FileEntry | undefined {
  if (target === undefined) return undefined;
  return parts.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
}

async function sharedStrings(part: FileEntry | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let characters = 0;
  for await (const batch of elements(inflated(part), 'si', 'sst')) {
    for (const element of batch) {
      const text = wordsOf(element);
      characters += text.length;
      strings.push(text);
    }
    if (characters > SHARED_CHARACTERS_MAX || strings.length > SHARED_MAX) throw tooLarge();
  }
  return strings;
}

/** Sheets leave out most empty rows; here they count. */
async function* rowsOf(part: FileEntry, lookups: Lookups): Rows {
  let line = 0;
  for await (const batch of elements(inflated(part), 'row', 'sheetData')) {
    const rows: Row[] = [];
    for (const element of batch) {
      const said = Number(/^[^>]*?\br=["'](\d{1,7})["']/.exec(element)?.[1] ?? 0);
      if (said > ROWS_MAX || line >= ROWS_MAX)
        throw new UnreadableList('too large', 'The sheet has more rows than Excel can have.');
      while (line + 1 < said) rows.push({ line: (line += 1), cells: [], raw: null, kinds: null });
      rows.push({ line: (line += 1), ...cellsOf(element, lookups), raw: null });
    }
    yield rows;
  }
}

const CELL_TAG = /^<(?:\w+:)?c\b([^<>]*)>/;

function cellsOf(element: string, lookups: Lookups): Pick<Row, 'cells' | 'kinds'> {
  const cells: string[] = [];
  const kinds: CellKind[] = [];
  for (const cell of cutAt(element, 'c').slice(1)) {
    const attributes = CELL_TAG.exec(cell)?.[1] ?? '';
    const content = cell.slice(attributes.length);
    const column = columnOf(attributes) ?? cells.length;
    if (column >= COLUMNS_MAX) continue;
    while (cells.length < column) {
      cells.push('');
      kinds.push('text');
    }
    const { text, kind } = readCell(attributes, content, lookups);
    if (text === '' && FORMULA.test(content) && !VALUE.test(content)) throw notCalculated(attributes);
    cells[column] = text;
    kinds[column] = kind;
  }
  while (cells.at(-1) === '') cells.pop();
  return { cells, kinds };
}

const FORMULA = /<(?:\w+:)?f\b/;
const VALUE = /<(?:\w+:)?v\b/;

/** Some programs write formulas and leave it to Excel to calculate them. */
function notCalculated(attributes: string): UnreadableList {
  const place = /\br=["'](\w+)/.exec(attributes)?.[1];
  const words = `The formula in ${place === undefined ? 'a cell' : `cell ${place}`} was never calculated.`;
  return new UnreadableList('damaged', `${words} Open the file in Excel, save it, and try again.`);
}

/** `r="AB12"` → 27 */
function columnOf(attributes: string): number | null {
  const letters = /\br=["']([A-Z]{1,3})\d/.exec(attributes)?.[1];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

async function textOf(part: FileEntry | undefined): Promise<string | null> {
  if (part === undefined) return null;
  let text = '';
  for await (const piece of inflated(part)) {
    text += piece;
    // The size that the ZIP file states may be wrong.
    if (text.length > PART_CHARACTERS_MAX) throw tooLarge();
  }
  return text;
}

function tooLarge(): UnreadableList {
  return new UnreadableList('too large', 'The workbook is too large. Save the list as CSV.');
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
    throw new UnreadableList('damaged', 'The workbook is damaged, or has a password.', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
  const failed = await failure;
  if (failed !== null)
    throw new UnreadableList('damaged', 'The workbook is damaged, or has a password.', { cause: failed.error });
}
