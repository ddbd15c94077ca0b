import { explain } from '../../words/cases.ts';
import { type FieldName, FIELDS } from '../../words/fields.ts';
import { namesOf } from '../../words/open.ts';
import type { OpenResult } from '../../words/result.ts';

/** What is known of one row. */
export type RowResult = {
  readonly result: OpenResult;
  /** How many times its address was asked. */
  readonly asked: number;
};

/** A field of the result, or what is made from it: `meaning` says it in a few words. */
type Column = FieldName | 'meaning' | 'asked';
type Value = string | number | boolean | readonly string[] | null;

/** An output without these is none that we wrote. */
const TELLING: readonly Column[] = ['status', 'score', 'result', 'reason'];
/** What one filters by comes first. */
const FIRST: readonly Column[] = [
  ...TELLING,
  'meaning',
  'did_you_mean',
  'retry_after',
  'catch_all',
  'disposable',
  'role_based',
  'free_provider',
  'syntax',
  'mx_found',
  'smtp_check',
  'smtp_code',
  'smtp_enhanced_code',
  'mx_records',
];
const LAST: readonly Column[] = ['email', 'asked'];

/** What is said of each address, in the order of the columns; a new field has one by being in the contract. */
export const RESULT_COLUMNS: readonly Column[] = [
  ...FIRST,
  ...namesOf(FIELDS).filter((field) => !FIRST.includes(field) && !LAST.includes(field)),
  ...LAST,
];

/** The columns of an output: theirs, and where ours stand among them. */
export type Layout = {
  readonly names: readonly string[];
  /** How many are theirs: they come first. */
  readonly theirs: number;
  /** Of each result column, in their order. */
  readonly places: readonly number[];
};

/** Ours behind theirs, which keep their names: ours give way, and all of them together. */
export function appendedTo(theirs: readonly string[]): Layout {
  const taken = new Set(theirs);
  for (let turn = 1; ; turn += 1) {
    const names = RESULT_COLUMNS.map((column) => nameOf(column, turn));
    if (!names.some((name) => taken.has(name))) return layoutOf(theirs, names);
  }
}

/** Ours in place of those of an earlier output, and behind it those that it has not; null if it is none. */
export function replacedIn(theirs: readonly string[]): Layout | null {
  if (!TELLING.every((column) => theirs.includes(nameOf(column, 1)))) return null;
  return layoutOf(
    theirs,
    RESULT_COLUMNS.map((column) => nameOf(column, 1)),
  );
}

function layoutOf(theirs: readonly string[], ours: readonly string[]): Layout {
  const names = [...theirs, ...ours.filter((name) => !theirs.includes(name))];
  return { names, theirs: theirs.length, places: ours.map((name) => names.indexOf(name)) };
}

function nameOf(column: Column, turn: number): string {
  return `rcpt_${turn === 1 ? '' : `${turn}_`}${column}`;
}

/** Whether a column of this name holds results of an earlier run. */
export function isResultColumn(name: string): boolean {
  const column = /^rcpt_(?:\d+_)?(.+)$/.exec(name)?.[1];
  return RESULT_COLUMNS.some((each) => each === column);
}

export function valuesOf({ result, asked }: RowResult): readonly Value[] {
  return RESULT_COLUMNS.map((column) => {
    if (column === 'meaning') return explain(result).title;
    return column === 'asked' ? asked : result[column];
  });
}

/** As a cell: nothing for null, MX hosts with spaces between them. */
export function cellOf(value: Value): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(' ') : String(value);
}
