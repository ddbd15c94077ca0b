import { BYTE_ORDER_MARK, csvLine, harmless } from '../../../schema/lists/writing/csv.ts';
import { Failure } from '../failure/failure.ts';
import { losesDigits, parseObject } from '../../../schema/lists/reading/json-lines.ts';
import type { Style } from '../../../schema/lists/reading/list.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { type Answer, cellOf, FIELDS, valuesOf } from './result-columns.ts';

export type OutputFormat = 'csv' | 'tsv' | 'jsonl';

/** Where our columns stand: behind theirs, or in place of those of an earlier run. */
export type Ours =
  | { readonly kind: 'appended'; readonly names: readonly string[] }
  | { readonly kind: 'replaced'; readonly places: readonly number[] };

/** Rows as text, each with its line end. */
export type RowWriter = {
  /** Before the first row. */
  readonly head: string;
  /** @param answer null: nothing is known, and our cells are empty or as they were */
  readonly line: (row: Row, answer: Answer | null) => string;
};

type Output = {
  readonly format: OutputFormat;
  readonly names: readonly string[];
  readonly style: Style;
  readonly ours: Ours;
  /** Their cells are made harmless too. */
  readonly escapesTheirs: boolean;
};

export function rowWriter(output: Output): RowWriter {
  return output.format === 'jsonl' ? jsonWriter(output) : cellWriter(output);
}

function cellWriter({ format, names, style, ours, escapesTheirs }: Output): RowWriter {
  const delimiter = format === 'tsv' ? '\t' : style.delimiter === '\t' ? ',' : style.delimiter;
  const lineOf = (cells: readonly string[]): string => csvLine(cells, delimiter, style.newline);
  const all = [...names, ...(ours.kind === 'appended' ? ours.names : [])];
  const line = (row: Row, answer: Answer | null): string => {
    if (row.raw !== null) checkExact(row);
    const cells = names.map((_, index) => row.cells[index] ?? '').map(escapesTheirs ? harmless : (cell) => cell);
    const answered = answer === null ? null : valuesOf(answer).map((value) => harmless(cellOf(value)));
    if (ours.kind === 'appended') return lineOf([...cells, ...(answered ?? FIELDS.map(() => ''))]);
    for (const [nth, cell] of answered?.entries() ?? []) cells[ours.places[nth] ?? -1] = cell;
    return lineOf(cells);
  };
  return { head: `${style.hasMark ? BYTE_ORDER_MARK : ''}${lineOf(all)}`, line };
}

function jsonWriter({ names: columns, ours }: Output): RowWriter {
  const names = distinct(columns);
  const ourNames = ours.kind === 'appended' ? ours.names : FIELDS.map((field) => `rcpt_${field}`);
  const line = (row: Row, answer: Answer | null): string => {
    if (answer === null) return `${row.raw ?? JSON.stringify(objectOf(names, row))}\n`;
    const values = valuesOf(answer);
    const answered = Object.fromEntries(ourNames.map((name, nth) => [name, values[nth]]));
    // What the customer wrote stays as it is, down to the digits of a number.
    if (row.raw !== null && ours.kind === 'appended') return `${spliced(row.raw, JSON.stringify(answered))}\n`;
    if (row.raw !== null) checkExact(row);
    const theirs = row.raw === null ? objectOf(names, row) : parseObject(row.raw);
    return `${JSON.stringify({ ...theirs, ...answered })}\n`;
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

function checkExact({ raw, line }: Row): void {
  if (raw === null || !losesDigits(raw)) return;
  throw new Failure('input', `Line ${line} has a number with more digits than can be kept: choose an output in JSONL.`);
}
