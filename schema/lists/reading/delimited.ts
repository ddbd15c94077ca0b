import Papa from 'papaparse';
import { holdsAddresses } from '../columns/address.ts';
import { linesIn } from './lines.ts';
import { ROW_CHARACTERS_MAX, type Row, type Rows } from './row.ts';
import { mendCells } from './stray-quotes.ts';
import { UnreadableList } from './unreadable.ts';

// Text → rows, for CSV and TSV by RFC 4180 and as found in practice: stray quotation marks, rows of different lengths, and
// any of three line ends.

const DELIMITERS = [',', ';', '\t', '|', '^', '~'] as const;
/** Rows that show which it is. */
const ROWS_SHOWN = 200;

/**
 * The separator: in most rows it leaves an address as a cell, and it splits most rows into equally many cells; a comma if no
 * other does it better. Decimal commas and titles above a header do not count.
 */
export function delimiterOf(sample: string): string {
  const found = DELIMITERS.map((delimiter) => {
    const data = rowsShown(sample, delimiter);
    const times = new Map<number, number>();
    for (const { length } of data) if (length > 1) times.set(length, (times.get(length) ?? 0) + 1);
    const holding = data.filter((cells) => cells.some(holdsAddresses)).length;
    return { delimiter, holding, even: Math.max(0, ...times.values()) };
  });
  const [best] = found.toSorted((one, other) => other.holding - one.holding || other.even - one.even);
  return best?.delimiter ?? ',';
}

/**
 * The separator within rows that a spreadsheet has put into one cell each: `"Ann,ann@…"`. Null if they are plain, or have no
 * addresses either way.
 */
export function wrappedDelimiterOf(sample: string): string | null {
  const holds = (text: string, delimiter: string): boolean =>
    rowsShown(text, delimiter).some((cells) => cells.some(holdsAddresses));
  const rows = rowsShown(sample, ',');
  if (rows.some((cells) => cells.length > 1) || holds(sample, delimiterOf(sample))) return null;
  const inner = rows.flat().join('\n');
  const delimiter = delimiterOf(inner);
  return holds(inner, delimiter) ? delimiter : null;
}

function rowsShown(sample: string, delimiter: string): string[][] {
  return Papa.parse(sample, { delimiter, preview: ROWS_SHOWN, skipEmptyLines: true }).data;
}

/** Rows that stand in one cell each. @throws UnreadableList */
export function readWrapped(text: AsyncIterable<string>, delimiter: string): Rows {
  return readDelimited(unwrapped(readDelimited(text, ',')), delimiter);
}

async function* unwrapped(rows: Rows): AsyncGenerator<string, undefined> {
  for await (const batch of rows) yield batch.map(({ cells }) => `${cells.join(',')}\n`).join('');
}

/**
 * @param delimiter one character
 * @throws UnreadableList for an unclosed quotation mark
 */
export async function* readDelimited(text: AsyncIterable<string>, delimiter: string): Rows {
  let rest = '';
  let count = 0;
  let lines = 0;
  const numbered = (cells: string[]): Row => ({ line: (count += 1), cells, raw: null, kinds: null });
  const read = (whole: string, isLast: boolean): string[][] => {
    const parsed = parseRows(whole, delimiter, isLast);
    if (parsed.brokenAt !== null) {
      const words = `The quotation mark that opens in line ${lines + parsed.brokenAt + 1} takes in the rows that follow.`;
      throw new UnreadableList('damaged', `${words} Close it, or take it out.`);
    }
    rest = parsed.rest;
    lines += parsed.lines;
    return parsed.rows;
  };
  for await (const piece of text) {
    const rows = read(rest + piece, false);
    if (rest.length > ROW_CHARACTERS_MAX) throw endless(rest, delimiter, lines, count);
    if (rows.length > 0) yield rows.map(numbered);
  }
  if (openQuoteLine(rest, delimiter) !== null) throw endless(rest, delimiter, lines, count);
  const last = read(rest, true);
  if (last.length > 0) yield last.map(numbered);
}

/**
 * The complete rows.
 * @param isLast nothing follows, so the last row is complete too
 * @returns `rest` follows them; `lines` is how many lines they took; `brokenAt`: the line, from 0, of a quotation mark that is
 * not closed properly; null if all are
 */
function parseRows(text: string, delimiter: string, isLast: boolean) {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  let whole = isLast && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;
  let { data, errors, meta } = parser.parse(whole, 0, true);
  // The parser knows only LF, and mixes text after a closing quotation mark into the next cells.
  if (/\r(?!\n|$)/.test(whole) || errors.some(({ code }) => code === 'InvalidQuotes')) {
    whole = mendCells(whole, delimiter);
    ({ data, errors, meta } = parser.parse(whole, 0, true));
  }
  for (const row of data) {
    const end = row.at(-1);
    if (end?.endsWith('\r') === true) row[row.length - 1] = end.slice(0, -1);
  }
  const broken = errors.find(({ code, index = 0 }) => code === 'InvalidQuotes' && index < meta.cursor);
  return {
    rows: data,
    rest: whole.slice(meta.cursor),
    lines: linesIn(whole, meta.cursor),
    brokenAt: broken === undefined ? null : linesIn(whole, broken.index),
  };
}

/** The line, from 1, in which an unclosed quotation mark opens; null if all are closed. */
function openQuoteLine(rest: string, delimiter: string): number | null {
  const whole = mendCells(`${rest}\n`, delimiter);
  const { errors } = new Papa.Parser({ delimiter, newline: '\n' }).parse(whole, 0, false);
  const open = errors.find(({ code }) => code === 'MissingQuotes');
  return open === undefined ? null : 1 + linesIn(whole, open.index ?? 0);
}

function endless(rest: string, delimiter: string, lines: number, rows: number): UnreadableList {
  const line = openQuoteLine(rest, delimiter);
  if (line !== null)
    return new UnreadableList('damaged', `A quotation mark that opens in line ${lines + line} is never closed.`);
  const most = ROW_CHARACTERS_MAX.toLocaleString('en');
  return new UnreadableList('too large', `Row ${rows + 1} has more than ${most} characters.`);
}
