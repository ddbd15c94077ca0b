import Papa from 'papaparse';
import { breather, ROW_CHARS_MAX, ROWS_MAX, type Table, UnreadableFile } from './table.ts';

const SAMPLE_BYTES = 65_536;
/** Parsed at once: some milliseconds. */
const SLICE_CHARS = 131_072;

/** CSV, TSV and whatever else separates cells by a sign, in UTF-8, UTF-16 or Windows-1252. @throws UnreadableFile */
export async function openDelimited(file: Blob): Promise<Table> {
  const sample = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const encoding = encodingOf(sample);
  const text = new TextDecoder(encoding).decode(sample);
  if (text.includes('\0')) throw new UnreadableFile('This is not a text file. Save your list as CSV or .xlsx.');
  const { delimiter, linebreak } = Papa.parse(text, { preview: 50, skipEmptyLines: true }).meta;
  const separator = known(delimiter);
  return {
    delimiter: separator,
    remark: encoding === 'windows-1252' ? 'The file is not in UTF-8, so it was read as Windows-1252.' : null,
    rows: () => rowsOf(file, encoding, separator, linebreak),
  };
}

async function* rowsOf(
  file: Blob,
  encoding: string,
  delimiter: string,
  newline: string,
): AsyncGenerator<string[][], undefined> {
  const parser = new Papa.Parser({ delimiter, newline });
  const breathe = breather();
  let rest = '';
  let count = 0;
  for await (const slice of slicesOf(file, encoding)) {
    const text = rest + slice.text;
    const { data, meta } = parser.parse(text, 0, !slice.isLast);
    rest = slice.isLast ? '' : text.slice(meta.cursor);
    count += data.length;
    if (count > ROWS_MAX)
      throw new UnreadableFile('The file has more than a million rows. Split it into smaller ones.');
    if (rest.length > ROW_CHARS_MAX)
      throw new UnreadableFile(`Row ${count + 1} does not end: a quotation mark may be missing in it.`);
    const rows = data.filter(hasText);
    if (rows.length > 0) yield rows;
    await breathe();
  }
}

type Slice = { readonly text: string; readonly isLast: boolean };

async function* slicesOf(file: Blob, encoding: string): AsyncGenerator<Slice, undefined> {
  const decoder = new TextDecoder(encoding);
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      for (let at = 0; at < text.length; at += SLICE_CHARS)
        yield { text: text.slice(at, at + SLICE_CHARS), isLast: false };
      if (done) break;
    }
  } finally {
    await reader.cancel();
  }
  yield { text: '', isLast: true };
}

/** By its byte order mark, else UTF-8 if it is that without a fault. */
function encodingOf(sample: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  try {
    // A character that is cut at the end of the sample is not a fault.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: sample.length === SAMPLE_BYTES });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function known(delimiter: string): Table['delimiter'] {
  return delimiter === ';' || delimiter === '\t' || delimiter === '|' ? delimiter : ',';
}

function hasText(row: readonly string[]): boolean {
  return row.length > 1 || (row[0] ?? '').trim() !== '';
}
