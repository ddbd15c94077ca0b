import { explain } from '../../words/cases.ts';
import { type FieldName, FIELDS } from '../../words/fields.ts';
import { namesOf } from '../../words/open.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';

/** What is known of one row. */
export type RowResult = {
  readonly result: OpenResult;
  /** How many times its address was asked. */
  readonly asked: number;
};

/** Why a row has no verdict though its cell is not empty, and what to do: reasons of the list, not of the service. */
export const UNASKED = {
  not_asked_yet: 'Not asked yet',
  several_addresses: 'Several addresses in one cell: put each in a row of its own',
} as const satisfies Readonly<Record<string, string>>;
export type Unasked = keyof typeof UNASKED;
export type RowAnswer = RowResult | Unasked;

/** A field of the result, or what is made from it: `meaning` says it in a few words. */
export type Column = FieldName | 'meaning' | 'asked';

/** What one filters by comes first. An output without the very first is none that we wrote. */
const FIRST: readonly Column[] = [
  'status',
  'score',
  'result',
  'reason',
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
  /** Ours, and where each of them stands. */
  readonly columns: readonly Column[];
  readonly places: readonly number[];
};

/**
 * Ours behind theirs, which keep their names: ours give way, and all of them together.
 * @param chosen the result columns that are wanted
 */
export function appendedTo(theirs: readonly string[], chosen = RESULT_COLUMNS): Layout {
  const taken = new Set(theirs);
  for (let turn = 1; ; turn += 1)
    if (!RESULT_COLUMNS.some((column) => taken.has(nameOf(column, turn)))) return layoutOf(theirs, chosen, turn);
}

/**
 * Ours in place of those of an earlier output, of its last run if it has several, and all that it has: beside a new verdict
 * no old one stays. Behind it those of the chosen ones that it has not. Null if it is no earlier output.
 */
export function replacedIn(theirs: readonly string[], chosen = RESULT_COLUMNS): Layout | null {
  const turn = theirs.reduce((last, name) => Math.max(last, runOf(name)), 0);
  if (turn === 0) return null;
  const columns = RESULT_COLUMNS.filter((column) => theirs.includes(nameOf(column, turn)) || chosen.includes(column));
  return layoutOf(theirs, columns, turn);
}

/** The run that a column of statuses is of, from 1; 0 for any other column. */
function runOf(name: string): number {
  const found = /^rcpt_(?:(\d{1,3})_)?status$/.exec(name);
  return found === null ? 0 : Number(found[1] ?? 1);
}

function layoutOf(theirs: readonly string[], columns: readonly Column[], turn: number): Layout {
  const ours = columns.map((column) => nameOf(column, turn));
  const names = [...theirs, ...ours.filter((name) => !theirs.includes(name))];
  return { names, theirs: theirs.length, columns, places: ours.map((name) => names.indexOf(name)) };
}

function nameOf(column: Column, turn: number): string {
  return `rcpt_${turn === 1 ? '' : `${turn}_`}${column}`;
}

/** Whether a column of this name holds results of an earlier run. */
export function isResultColumn(name: string): boolean {
  const column = /^rcpt_(?:\d+_)?(.+)$/.exec(name)?.[1];
  return RESULT_COLUMNS.some((each) => each === column);
}

/** What stands in a result column: what JSON can hold. */
export function valueOf(answer: RowAnswer, column: Column): string | number | boolean | null | readonly string[] {
  if (typeof answer === 'string') return column === 'reason' ? answer : column === 'meaning' ? UNASKED[answer] : null;
  const { result, asked } = answer;
  if (column === 'meaning') return explain(result).title;
  if (column === 'asked') return asked;
  // The service says that time ran out, as it does for a server that was asked and kept silent.
  if (column === 'reason' && isUnprobed(result)) return NOT_ASKED;
  return result[column];
}

const NOT_ASKED: Unasked = 'not_asked_yet';

/** As a cell: nothing for null, and MX hosts with spaces between them. */
export function cellOf(value: ReturnType<typeof valueOf>): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(' ') : String(value);
}
