import { Failure } from '../failure/failure.ts';
import type { Row } from './table.ts';
import type { Source } from './source.ts';

/** It is unpacked in memory as a whole: Excel's own bound of a million rows is far below this. */
const FILE_BYTES_MAX = 200_000_000;

/**
 * The first sheet of an XLSX file, or the one of this name.
 * @returns its rows, and which sheet they are of
 * @throws Failure
 */
export async function readSpreadsheet(
  source: Source,
  wanted: string | null,
): Promise<{ readonly sheet: string; readonly others: readonly string[]; readonly rows: readonly Row[] }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.bytes()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > FILE_BYTES_MAX)
      throw new Failure('input', `${source.name} is too large for a spreadsheet: save it as CSV.`);
  }
  // Loaded late: most lists are no spreadsheets.
  const { default: readSheets } = await import('read-excel-file/universal');
  const blob = new Blob(chunks.map((chunk) => Uint8Array.from(chunk)));
  // Numbers stay as they are written in the file: a customer's number is not to be rounded.
  const sheets = await readSheets<string>(blob, { trim: false, parseNumber: (text) => text }).catch(
    (error: unknown) => {
      throw new Failure('input', `${source.name} cannot be read as XLSX: save it anew, or as CSV.`, { cause: error });
    },
  );
  const found = wanted === null ? sheets[0] : sheets.find(({ sheet }) => sheet === wanted);
  const names = sheets.map(({ sheet }) => sheet);
  if (found === undefined)
    throw new Failure('usage', `--sheet: ${source.name} has ${names.map((name) => JSON.stringify(name)).join(', ')}.`);
  return {
    sheet: found.sheet,
    others: names.filter((name) => name !== found.sheet),
    rows: found.data.map((cells, index) => ({ line: index + 1, cells: cells.map(textOf), raw: null })),
  };
}

/** A date without a time of day as a date alone, as the sheet shows it. */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
