import { extname } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { looksLikeAddress } from './address.ts';
import { delimiterOf, newlineOf } from './delimiter.ts';
import { readDelimited } from './delimited.ts';
import { decode, encodingOf, type Encoding } from './encoding.ts';
import { readJsonLines } from './json-lines.ts';
import { linesOf } from './lines.ts';
import type { Source } from './source.ts';
import { readSpreadsheet } from './spreadsheet.ts';
import type { Format, Row, Style, Table } from './table.ts';

/** What the user says of a list; null: found out. */
export type Reading = {
  readonly format: Format | null;
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly hasHeader: boolean | null;
  readonly sheet: string | null;
};

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.txt': 'text',
  '.xlsx': 'xlsx',
};

/** What the name of a file says of how it is written; null if nothing. */
export function formatByName(name: string): Format | null {
  return BY_EXTENSION[extname(name).toLowerCase()] ?? null;
}

/**
 * Finds out how a list is written.
 * @param tell what the user should know of what was found
 * @throws Failure
 */
export async function openTable(source: Source, reading: Reading, tell: (line: string) => void): Promise<Table> {
  const start = await source.start();
  refuseOthers(source.name, start);
  const format = reading.format ?? formatByName(source.name) ?? formatByContent(start);
  if (format === 'xlsx') {
    const { sheet, others, rows } = await readSpreadsheet(source, reading.sheet);
    if (others.length > 0)
      tell(`${source.name}: of its sheets, ${JSON.stringify(sheet)} is read (--sheet names another)`);
    const style: Style = { delimiter: ',', newline: '\n', hasMark: true };
    return withHeader(format, style, reading.hasHeader, async function* () {
      yield* rows;
    });
  }
  const encoding = encodingOf(start, reading.encoding);
  const sample = new TextDecoder(encoding.label).decode(start);
  const style: Style = {
    delimiter: reading.delimiter ?? (format === 'tsv' ? '\t' : delimiterOf(sample)),
    newline: newlineOf(sample),
    hasMark: encoding.hasMark,
  };
  const text = (): AsyncIterable<string> => decode(source.bytes(), encoding, source.name);
  if (format === 'jsonl') {
    const names: string[] = [];
    return { format, names, hasHeader: true, style, rows: () => readJsonLines(text(), names, source.name) };
  }
  // Many tables are called .txt.
  if (format === 'text' && (reading.format === 'text' || isMostlyAddresses(sample))) {
    const asCsv = { ...style, delimiter: ',' };
    return { format, names: ['email'], hasHeader: false, style: asCsv, rows: () => addressLines(text(), source.name) };
  }
  return withHeader(format === 'text' ? 'csv' : format, style, reading.hasHeader, () =>
    readDelimited(text(), style.delimiter, source.name),
  );
}

/** Files that are neither text nor XLSX, by how they begin. */
const OTHERS: ReadonlyArray<readonly [start: readonly number[], words: string]> = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a spreadsheet of the old kind: save it as .xlsx or CSV'],
  [[0x1f, 0x8b], 'is compressed: use gunzip first'],
];

function refuseOthers(name: string, start: Uint8Array): void {
  for (const [bytes, words] of OTHERS)
    if (bytes.every((byte, at) => start[at] === byte)) throw new Failure('input', `${name} ${words}.`);
}

function isMostlyAddresses(sample: string): boolean {
  const lines = sample.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.filter(looksLikeAddress).length * 2 >= lines.length;
}

function formatByContent(start: Uint8Array): Format {
  const isZip = start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4;
  if (isZip) return 'xlsx';
  const encoding: Encoding = encodingOf(start, null);
  return /^\s*\{/.test(new TextDecoder(encoding.label).decode(start)) ? 'jsonl' : 'csv';
}

async function* addressLines(text: AsyncIterable<string>, name: string): AsyncGenerator<Row> {
  let line = 0;
  for await (const cell of linesOf(text, name)) {
    line += 1;
    yield { line, cells: [cell], raw: null };
  }
}

/** The first row names the columns, unless an address stands in it. */
async function withHeader(
  format: Format,
  style: Style,
  wanted: boolean | null,
  read: () => AsyncIterable<Row>,
): Promise<Table> {
  const first = await firstOf(read());
  const hasHeader = wanted ?? (first !== null && !first.cells.some(looksLikeAddress));
  const nameOf = (index: number): string => (hasHeader ? (first?.cells[index] ?? '') : `column_${index + 1}`);
  const names = (first?.cells ?? []).map((_, index) => nameOf(index));
  const rows = async function* (): AsyncGenerator<Row> {
    let isHeader = hasHeader;
    for await (const row of read()) {
      if (!isHeader) {
        while (names.length < row.cells.length) names.push(nameOf(names.length));
        yield row;
      }
      isHeader = false;
    }
  };
  return { format, names, hasHeader, style, rows };
}

async function firstOf(rows: AsyncIterable<Row>): Promise<Row | null> {
  for await (const row of rows) return row;
  return null;
}
