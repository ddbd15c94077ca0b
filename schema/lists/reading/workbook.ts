import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { holdsAddresses } from '../columns/address.ts';
import { ROW_CHARACTERS_MAX, type Rows } from './row.ts';
import { type PartReader, readRows, readStrings } from './sheet.ts';
import { dateStyles } from './sheet-cell.ts';
import type { Source } from './source.ts';
import { UnreadableList } from './unreadable.ts';
import { attribute, type Tag, xmlReader } from './xml.ts';

// Bytes → rows, for Excel's .xlsx (ECMA-376), a ZIP file of XML. It is inflated as it is read: memory holds a batch of rows and
// the shared strings.

configure({ useWebWorkers: false });

const SHARED_CHARACTERS_MAX = 400_000_000;
const SHARED_MAX = 20_000_000;
/** Of a part that is read whole: the names of the sheets, the styles. */
const PART_CHARACTERS_MAX = 20_000_000;

/** Of what is inflated at once: a tag in many pieces would be looked at for each of them. */
const PIECE_CHARACTERS_MIN = 16_384;

/** By name; ZIP programs spell the names in their own ways. */
type Parts = ReadonlyMap<string, FileEntry>;

/**
 * @param wanted the name of a sheet; null: the first with an address that is not hidden, for before it may be a cover
 * @returns the name of the sheet that is read, those of the other visible ones, and its rows
 * @throws UnreadableList
 */
export async function openWorkbook(source: Source, wanted: string | null) {
  const parts = await partsOf(source);
  const root =
    (await relationsOf(parts, '/')).find(({ type }) => type === 'officeDocument')?.part ?? '/xl/workbook.xml';
  if (root.endsWith('.bin')) throw new UnreadableList('not a list', A_BINARY_WORKBOOK);
  const tags = await tagsOf(parts.get(root));
  if (tags[0]?.name !== 'workbook') throw new UnreadableList('not a list', NOT_A_WORKBOOK);
  const relations = await relationsOf(parts, root);
  const sheets = sheetsOf(tags, relations, parts);
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  const partOf = (kind: string): FileEntry | undefined =>
    parts.get(relations.find(({ type }) => type === kind)?.part ?? '');
  const has = (each: string, flag: (tag: string) => string | null): boolean =>
    tags.some(({ name, tag }) => name === each && /^(?:1|true)$/.test(flag(tag) ?? ''));
  const lookups = {
    shared: await sharedStrings(partOf('sharedStrings')),
    dateStyles: dateStyles(await tagsOf(partOf('styles'))),
    is1904: has('workbookPr', attribute('date1904')),
    isUncalculated: has('calcPr', attribute('fullCalcOnLoad')),
  };
  const rowsOf = ({ part }: Sheet): Rows => contents(part, (push) => readRows(lookups, push));
  const found = wanted === null ? await firstWithAddress(shown, rowsOf) : sheets.find(({ name }) => name === wanted);
  if (found === undefined && wanted !== null) {
    const listed = shown.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new UnreadableList('no such sheet', `There is no sheet ${JSON.stringify(wanted)}. There are ${listed}.`);
  }
  const read = found ?? shown[0] ?? sheets[0];
  if (read === undefined) throw new UnreadableList('damaged', 'The workbook has no sheet that can be read.');
  const others = shown.flatMap(({ name }) => (name === read.name ? [] : [name]));
  return { sheet: read.name, others, rows: () => rowsOf(read) };
}

const NOT_A_WORKBOOK = 'This ZIP file is not an Excel workbook. Unpack it, or save the list as .xlsx or CSV.';
const A_BINARY_WORKBOOK = 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV first.';
const NAME = attribute('name');
const STATE = attribute('state');
const RELATION = attribute(':id');

type Sheet = { readonly name: string; readonly isHidden: boolean; readonly part: FileEntry };

/** Rows of a sheet in which an address is looked for. */
const ROWS_SHOWN = 1_000;

async function firstWithAddress(sheets: readonly Sheet[], rowsOf: (sheet: Sheet) => Rows): Promise<Sheet | undefined> {
  if (sheets.length < 2) return undefined;
  for (const sheet of sheets) {
    let count = 0;
    for await (const rows of rowsOf(sheet)) {
      if (rows.some(({ cells }) => cells.some(holdsAddresses))) return sheet;
      count += rows.length;
      if (count >= ROWS_SHOWN) break;
    }
  }
  return undefined;
}

/** In their order, without charts and others that have no cells. */
function sheetsOf(tags: readonly Tag[], relations: readonly Relation[], parts: Parts): readonly Sheet[] {
  return tags.flatMap(({ name, tag }) => {
    if (name !== 'sheet') return [];
    const id = RELATION(tag);
    const relation = relations.find((each) => each.id === id);
    const part = parts.get(relation?.part ?? '');
    if (/^(?:chart|dialog)sheet$/.test(relation?.type ?? '') || part === undefined) return [];
    return [{ name: NAME(tag) ?? '', isHidden: /^(?:veryH|h)idden$/.test(STATE(tag) ?? ''), part }];
  });
}

/** What a part refers to. `type` is the last word of its name, since there are two families of them. */
type Relation = { readonly id: string | null; readonly type: string; readonly part: string };

const ID = attribute('Id');
const KIND = attribute('Type');
const TARGET = attribute('Target');

/** @param part its name; `/` for the file as a whole */
async function relationsOf(parts: Parts, part: string): Promise<readonly Relation[]> {
  const tags = await tagsOf(parts.get(part.replace(/[^/]*$/, '_rels/$&.rels')));
  return tags.flatMap(({ name, tag }) => {
    const target = TARGET(tag);
    if (name !== 'Relationship' || target === null) return [];
    return [{ id: ID(tag), type: KIND(tag)?.split('/').at(-1) ?? '', part: partName(target, part) }];
  });
}

/** Programs spell the names of parts in their own ways, and Excel finds the parts nevertheless. */
function partName(path: string, from = '/'): string {
  const [spelled, base] = [path.replaceAll('\\', '/'), `http://workbook${from}`];
  return URL.canParse(spelled, base) ? new URL(spelled, base).pathname.toLowerCase() : '';
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
    // Nothing is written under these names.
    const reader = new ZipReader(new SourceReader(source), { filenameValidation: 'tolerant' });
    const entries = await reader.getEntries();
    return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[partName(entry.filename), entry] as const])));
  } catch (error) {
    throw new UnreadableList('damaged', 'The file is damaged: it starts like an Excel workbook but is incomplete.', {
      cause: error,
    });
  }
}

async function sharedStrings(part: FileEntry | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined) return strings;
  let characters = 0;
  for await (const batch of contents(part, readStrings)) {
    for (const text of batch) {
      characters += text.length;
      strings.push(text);
    }
    if (characters > SHARED_CHARACTERS_MAX || strings.length > SHARED_MAX) throw tooLarge();
  }
  return strings;
}

/** What a part has, in batches. @throws UnreadableList */
async function* contents<Thing>(
  part: FileEntry,
  begin: (push: (thing: Thing) => void) => PartReader,
): AsyncGenerator<readonly Thing[], undefined> {
  let batch: Thing[] = [];
  const { read, isOver } = begin((thing) => batch.push(thing));
  // Since the last of them ended.
  let characters = 0;
  for await (const piece of inflated(part)) {
    read(piece);
    characters = batch.length > 0 ? 0 : characters + piece.length;
    if (batch.length > 0) yield batch;
    batch = [];
    if (isOver()) return;
    if (characters > ROW_CHARACTERS_MAX) break;
  }
  throw new UnreadableList('damaged', 'The workbook is damaged: a row does not end.');
}

/** The tags of a part; none of one that is missing. */
async function tagsOf(part: FileEntry | undefined): Promise<readonly Tag[]> {
  const tags: Tag[] = [];
  if (part === undefined) return tags;
  const read = xmlReader({ open: (name, tag) => tags.push({ name, tag }) });
  let characters = 0;
  for await (const piece of inflated(part)) {
    read(piece);
    characters += piece.length;
    // The size that the ZIP file states may be wrong.
    if (characters > PART_CHARACTERS_MAX) throw tooLarge();
  }
  return tags;
}

function tooLarge(): UnreadableList {
  return new UnreadableList('too large', 'The workbook is too large. Save the list as CSV.');
}

/** The part's text, as it is inflated. */
async function* inflated(part: FileEntry): AsyncGenerator<string, undefined> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reader = readable.getReader();
  const data = part.getData(writable);
  // If it fails before it writes anything, reading alone would wait for ever.
  const failed = data.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), failed]);
      if (done) break;
      text += utf8.decode(value, { stream: true });
      if (text.length < PIECE_CHARACTERS_MIN) continue;
      yield text;
      text = '';
    }
    await data;
    yield text;
  } catch (error) {
    throw new UnreadableList('damaged', 'The workbook is damaged, or has a password.', { cause: error });
  } finally {
    await reader.cancel().catch(() => {});
  }
}
