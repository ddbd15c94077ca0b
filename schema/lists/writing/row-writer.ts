import { type RowResult, cellOf, type Layout, valuesOf } from '../columns/result-columns.ts';
import { parseObject, refuseInexact } from '../reading/json-lines.ts';
import type { Style } from '../reading/list.ts';
import type { Row } from '../reading/row.ts';
import { BYTE_ORDER_MARK, csvLine, harmless } from './csv.ts';

export type OutputFormat = 'csv' | 'tsv' | 'jsonl';

/** Rows as text, each with its line end. */
export type RowWriter = {
  /** Before the first row. */
  readonly head: string;
  /**
   * @param answer null: nothing is known, and our cells are empty or as they were
   * @throws UnreadableList for a number that would lose digits
   */
  readonly line: (row: Row, answer: RowResult | null) => string;
};

type Output = {
  readonly format: OutputFormat;
  readonly style: Style;
  readonly layout: Layout;
  /** Their cells are made harmless too. */
  readonly escapesTheirs: boolean;
};

export function rowWriter(output: Output): RowWriter {
  return output.format === 'jsonl' ? jsonWriter(output.layout) : cellWriter(output);
}

function cellWriter({ format, style, layout: { names, theirs, places }, escapesTheirs }: Output): RowWriter {
  const delimiter = format === 'tsv' ? '\t' : style.delimiter === '\t' ? ',' : style.delimiter;
  const lineOf = (cells: readonly string[]): string => csvLine(cells, delimiter, style.newline);
  const escaped = (cell: string, index: number): string => (escapesTheirs && index < theirs ? harmless(cell) : cell);
  const line = (row: Row, answer: RowResult | null): string => {
    refuseInexact(row);
    const cells = names.map((_, index) => escaped(row.cells[index] ?? '', index));
    const values = answer === null ? [] : valuesOf(answer);
    for (const [nth, value] of values.entries()) cells[places[nth] ?? -1] = harmless(cellOf(value));
    return lineOf(cells);
  };
  return { head: `${style.hasMark ? BYTE_ORDER_MARK : ''}${lineOf(names.map(escaped))}`, line };
}

function jsonWriter({ names, theirs, places }: Layout): RowWriter {
  const keys = distinct(names.slice(0, theirs));
  const isAppended = places.every((place) => place >= theirs);
  const line = (row: Row, answer: RowResult | null): string => {
    if (answer === null) return `${row.raw ?? JSON.stringify(objectOf(keys, row))}\n`;
    const values = valuesOf(answer);
    const answered = Object.fromEntries(places.map((place, nth) => [names[place] ?? '', values[nth]]));
    // What the customer wrote stays as it is, down to the digits of a number.
    if (row.raw !== null && isAppended) return `${spliced(row.raw, JSON.stringify(answered))}\n`;
    refuseInexact(row);
    const before = row.raw === null ? objectOf(keys, row) : parseObject(row.raw);
    return `${JSON.stringify({ ...before, ...answered })}\n`;
  };
  return { head: '', line };
}

/** One JSON object with the members of both. */
function spliced(theirs: string, ours: string): string {
  const open = theirs.slice(0, theirs.lastIndexOf('}')).trimEnd();
  return `${open}${open.trimStart() === '{' ? '' : ','}${ours.slice(1)}`;
}

/** A key for each column: those without a name, or with that of another, get one. */
function distinct(columns: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map((column, index) => {
    let name = column === '' ? `column_${index + 1}` : column;
    for (let turn = 2; taken.has(name); turn += 1) name = `${column}_${turn}`;
    taken.add(name);
    return name;
  });
}

function objectOf(names: readonly string[], { cells }: Row): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}
