import { explain } from '../../words/cases.ts';
import { type FieldName, FIELDS } from '../../words/fields.ts';
import { namesOf } from '../../words/open.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';

export type RowResult = {
  readonly result: OpenResult;
  /** How many times its address was asked. */
  readonly asked: number;
};

/** Why a row with a filled cell has no verdict, and what to do. */
export const UNASKED = {
  not_asked_yet: 'Not asked yet',
  several_addresses: 'Several addresses in one cell: put each in a row of its own',
  no_address: 'Not an email address: never asked',
} as const satisfies Readonly<Record<string, string>>;
export type Unasked = keyof typeof UNASKED;
export type RowAnswer = RowResult | Unasked;

/** A field of the result; `meaning` puts it in a few words. */
export type Column = FieldName | 'meaning' | 'asked';

/** What users filter by comes first; every output that we wrote has the very first. */
const FIRST: readonly Column[] = ['status', 'score', 'result', 'reason', 'meaning', 'did_you_mean', 'retry_after'];
const LAST: readonly Column[] = ['email', 'asked'];

/** All result columns in order; a new field gets its column by being in the contract. */
export const RESULT_COLUMNS: readonly Column[] = [
  ...FIRST,
  ...namesOf(FIELDS).filter((field) => !FIRST.includes(field) && !LAST.includes(field)),
  ...LAST,
];

/** The columns of an output: the customer's, and the places of ours. */
export type Layout = {
  readonly names: readonly string[];
  /** How many are the customer's: they come first. */
  readonly theirs: number;
  /** Ours, and the place of each. */
  readonly columns: readonly Column[];
  readonly places: readonly number[];
};

/**
 * Ours after the customer's columns. If one of our names is taken, all of ours get another number.
 * @param chosen the result columns that are wanted
 */
export function appendedTo(theirs: readonly string[], chosen = RESULT_COLUMNS): Layout {
  const taken = new Set(theirs);
  for (let turn = 1; ; turn += 1)
    if (!RESULT_COLUMNS.some((column) => taken.has(nameOf(column, turn)))) return layoutOf(theirs, chosen, turn);
}

/**
 * Ours in place of those of an earlier output, of its last run if it has several; columns that it lacks follow. Null if this is
 * no earlier output.
 */
export function replacedIn(theirs: readonly string[]): Layout | null {
  const turn = theirs.reduce((last, name) => Math.max(last, runOf(name)), 0);
  return turn === 0 ? null : layoutOf(theirs, RESULT_COLUMNS, turn);
}

/** The run of a status column, from 1; 0 for any other column. */
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

export function valueOf(answer: RowAnswer, column: Column): string | number | boolean | null | readonly string[] {
  if (typeof answer === 'string') return column === 'reason' ? answer : column === 'meaning' ? UNASKED[answer] : null;
  const { result, asked } = answer;
  if (column === 'meaning') return explain(result).title;
  if (column === 'asked') return asked;
  // The service says `timeout` for these too.
  if (column === 'reason' && isUnprobed(result)) return NOT_ASKED;
  return result[column];
}

const NOT_ASKED: Unasked = 'not_asked_yet';

/** As a cell: empty for null, and MX hosts separated by spaces. */
export function cellOf(value: ReturnType<typeof valueOf>): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(' ') : String(value);
}
