import { decoderOf } from './decoder.ts';
import { type Format, isZip, refuseBinary, refuseOthers, textFormat } from './format.ts';
import { isJsonObject, readJsonArray, readJsonLines } from './json-lines.ts';
import { linesOf } from './lines.ts';
import { COLUMNS_MAX, type Row, type Rows } from './row.ts';
import { bytesOf, type Source, START_BYTES } from './source.ts';
import { decode, encodingOf, type Encoding, newlineOf } from './text.ts';
import { UnreadableList } from './unreadable.ts';

// Bytes → rows: detects the format and chains the readers for it.

/** Excel's own first line, which names the separator: `sep=;`. */
const SEP_LINE = /^"?sep=(.)"?\r?(?:\n|$)/i;

/** Their addresses are in memory: three million rows need 0.9 GB. */
export const ROWS_MAX = 3_000_000;

/** What the user says of a list; null: detected. */
export type Reading = {
  readonly format: Format | null;
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly sheet: string | null;
  /** More are refused; a header comes on top. */
  readonly rowsMax: number;
};

/** What an output in the same format keeps. */
export type Style = {
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n';
  /** Starts with a byte order mark: as the list did, or because it was not in UTF-8, as which Excel would not read it. */
  readonly hasMark: boolean;
};

/** A list of known format. It can be read more than once, and is never in memory as a whole (a JSON array apart). */
export type List = {
  readonly format: Format;
  readonly style: Style;
  /** Null for a workbook. */
  readonly encoding: Encoding | null;
  /** Null unless it is a workbook. */
  readonly sheet: { readonly name: string; readonly others: readonly string[] } | null;
  /** The columns, if the format names them; reading JSON adds to them. Null: the first row may name them. */
  readonly names: string[] | null;
  /** All rows, a header included. @throws UnreadableList */
  readonly rows: () => Rows;
};

/** @throws UnreadableList */
export async function openList(source: Source, reading: Reading): Promise<List> {
  const start = await source.read(0, START_BYTES);
  refuseOthers(start);
  // The content decides, not the name of the file.
  const isWorkbook = reading.format === 'xlsx' || (reading.format === null && isZip(start));
  const list = isWorkbook ? await openSheet(source, reading) : await openText(source, start, reading);
  return { ...list, rows: () => bounded(list.rows(), reading.rowsMax) };
}

async function openSheet(source: Source, { sheet: wanted }: Reading): Promise<List> {
  // Loaded on demand: most lists are no workbooks.
  const { openWorkbook } = await import('./workbook.ts');
  const { sheet: name, others, rows } = await openWorkbook(source, wanted);
  const style: Style = { delimiter: ',', newline: '\n', hasMark: true };
  return { format: 'xlsx', style, encoding: null, sheet: { name, others }, names: null, rows };
}

async function openText(source: Source, start: Uint8Array, reading: Reading): Promise<List> {
  const encoding = await encodingOf(source, start, reading.encoding);
  const sample = decoderOf(encoding.label).decode(start);
  refuseBinary(sample);
  const format = reading.format ?? textFormat(source.name, sample);
  const form = { format, encoding, sheet: null };
  const style: Style = {
    delimiter: ',',
    newline: newlineOf(sample),
    hasMark: encoding.hasMark || encoding.label !== 'utf-8',
  };
  const characters = () => decode(bytesOf(source), encoding.label);
  if (format === 'jsonl') {
    const names: string[] = [];
    const rows = (): Rows =>
      /^\s*\[/.test(sample) || isJsonObject(sample)
        ? readJsonArray(characters(), names)
        : readJsonLines(linesOf(characters()), names);
    return { ...form, style, names, rows };
  }
  if (format === 'text')
    return {
      ...form,
      style,
      names: reading.format === 'text' ? ['email'] : null,
      rows: () => addressLines(characters()),
    };
  // Loaded on demand, with the library.
  const { delimiterOf, readDelimited, readWrapped, wrappedDelimiterOf } = await import('./delimited.ts');
  const named = SEP_LINE.exec(sample)?.[1] ?? null;
  const isTabbed = format === 'tsv' && (reading.format === 'tsv' || sample.includes('\t'));
  const said = reading.delimiter ?? named ?? (isTabbed ? '\t' : null);
  const wrapped = said === null ? wrappedDelimiterOf(sample) : null;
  const delimiter = said ?? wrapped ?? delimiterOf(sample);
  const rows = (): Rows =>
    wrapped === null ? readDelimited(characters(), delimiter) : readWrapped(characters(), wrapped);
  return { ...form, style: { ...style, delimiter }, names: null, rows };
}

async function* addressLines(text: AsyncIterable<string>): Rows {
  let line = 0;
  for await (const lines of linesOf(text))
    yield lines.map((cell) => ({ line: (line += 1), cells: [cell], raw: null, kinds: null }));
}

/** Rows of a table that are blank are skipped, and so is the one that names the separator. */
function isData({ line, cells, raw, kinds }: Row): boolean {
  if (line === 1 && /^sep=.?$/i.test(cells[0] ?? '')) return false;
  return raw !== null || cells.some((cell) => cell.trim() !== '') || kinds?.includes('formula') === true;
}

async function* bounded(rows: Rows, rowsMax: number): Rows {
  let count = 0;
  for await (const all of rows) {
    const batch = all.filter(isData);
    if (batch.length === 0) continue;
    const wide = batch.find(({ cells }) => cells.length > COLUMNS_MAX);
    if (wide !== undefined)
      throw new UnreadableList(
        'too large',
        `Row ${wide.line} has more than ${COLUMNS_MAX.toLocaleString('en')} cells, the most that a spreadsheet takes.`,
      );
    count += batch.length;
    if (count > rowsMax + 1)
      throw new UnreadableList(
        'too large',
        `The list has more than ${rowsMax.toLocaleString('en')} rows: split it into smaller ones${rowsMax < ROWS_MAX ? `, or use the command rcpt, which takes ${ROWS_MAX.toLocaleString('en')}` : ''}.`,
      );
    yield batch;
  }
}
