import { cellOf, type Layout, type RowAnswer, valueOf } from '../columns/result-columns.ts';
import { parseObject } from '../reading/json-lines.ts';
import type { Style } from '../reading/list.ts';
import type { Row } from '../reading/row.ts';
import { BYTE_ORDER_MARK, csvLine, harmless } from './csv.ts';

export type TextFormat = 'csv' | 'tsv' | 'jsonl';

/** Rows as text, each with its line end. */
type RowWriter = {
  /** Before the first row. */
  readonly head: string;
  /** @param answer null: our cells stay empty or as they were */
  readonly line: (row: Row, answer: RowAnswer | null) => string;
};

export type RowForm<Format> = {
  readonly format: Format;
  readonly style: Style;
  readonly layout: Layout;
  /** Titles and dates above the header. JSON has no place for them. */
  readonly above: readonly Row[];
};

export function rowWriter(form: RowForm<TextFormat>): RowWriter {
  return form.format === 'jsonl' ? jsonWriter(form.layout) : cellWriter(form);
}

function cellWriter({ format, style, layout, above }: RowForm<TextFormat>): RowWriter {
  const { names, columns, places } = layout;
  const delimiter = format === 'tsv' ? '\t' : style.delimiter === '\t' ? ',' : style.delimiter;
  const lineOf = (cells: readonly string[]): string => csvLine(cells, delimiter, style.newline);
  const line = (row: Row, answer: RowAnswer | null): string => {
    const cells = names.map((_, index) => row.cells[index] ?? '');
    const said = saidOf(answer, row, layout);
    if (said !== null)
      for (const [nth, column] of columns.entries()) cells[places[nth] ?? -1] = harmless(cellOf(valueOf(said, column)));
    return lineOf(cells);
  };
  const titles = above.map(({ cells }) => lineOf(cells)).join('');
  return { head: `${style.hasMark ? BYTE_ORDER_MARK : ''}${titles}${lineOf(names)}`, line };
}

/** What our cells of a row get. A verdict of an earlier run stays until there is a new one. */
export function saidOf(answer: RowAnswer | null, { cells }: Row, { theirs, places }: Layout): RowAnswer | null {
  const isAnswered = places.some((place) => place < theirs && (cells[place] ?? '') !== '');
  return typeof answer === 'string' && isAnswered ? null : answer;
}

function jsonWriter(layout: Layout): RowWriter {
  const { names, theirs, columns, places } = layout;
  const keys = distinct(names.slice(0, theirs));
  const isAppended = places.every((place) => place >= theirs);
  const line = (row: Row, answer: RowAnswer | null): string => {
    const said = saidOf(answer, row, layout);
    if (said === null) return `${row.raw ?? JSON.stringify(objectOf(keys, row))}\n`;
    const answered = Object.fromEntries(
      columns.map((column, nth) => [names[places[nth] ?? -1] ?? '', valueOf(said, column)]),
    );
    // The customer's text is kept, down to its spaces.
    if (row.raw !== null && isAppended) return `${spliced(row.raw, JSON.stringify(answered))}\n`;
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

/** A key for each column: unnamed and duplicate columns get their own. */
function distinct(columns: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const turns = new Map<string, number>();
  return columns.map((column, index) => {
    let name = column === '' ? `column_${index + 1}` : column;
    for (let turn = turns.get(column) ?? 2; taken.has(name); turn += 1) {
      name = `${column}_${turn}`;
      turns.set(column, turn + 1);
    }
    taken.add(name);
    return name;
  });
}

function objectOf(names: readonly string[], { cells }: Row): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
}
