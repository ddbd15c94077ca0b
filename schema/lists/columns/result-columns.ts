import { explain } from '../../words/cases.ts';
import { type FieldName, FIELDS } from '../../words/fields.ts';
import { isKnown, namesOf, type Open } from '../../words/open.ts';
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
  /** Ours, fields of a newer service behind them, and where each of them stands. */
  readonly columns: readonly Open<Column>[];
  readonly places: readonly number[];
  /** Which number is in the names of ours. */
  readonly turn: number;
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

/** An output has room for this many fields of a newer service. */
export const NEW_FIELDS_MAX = 20;
const NEW_FIELD = /^\P{Cc}{1,64}$/u;

/** The fields of a result that this version does not know. */
export function newFieldsOf(result: OpenResult): readonly string[] {
  return Object.keys(result).filter((field) => !isKnown<string>(RESULT_COLUMNS, field) && NEW_FIELD.test(field));
}

/** The same with columns for the fields that a newer service adds, unless only some columns were chosen. */
export function withFields(layout: Layout, fields: Iterable<string>): Layout {
  const { names, theirs, columns, places, turn } = layout;
  if (columns.length < RESULT_COLUMNS.length) return layout;
  const before = names.slice(0, theirs);
  const isReplaced = places.some((place) => place < theirs);
  const more = [...fields].filter((field) => isReplaced || !before.includes(nameOf(field, turn)));
  return layoutOf(before, [...columns, ...more.slice(0, NEW_FIELDS_MAX)], turn);
}

function layoutOf(theirs: readonly string[], columns: readonly Open<Column>[], turn: number): Layout {
  const ours = columns.map((column) => nameOf(column, turn));
  const names = [...theirs, ...ours.filter((name) => !theirs.includes(name))];
  return { names, theirs: theirs.length, columns, places: ours.map((name) => names.indexOf(name)), turn };
}

function nameOf(column: Open<Column>, turn: number): string {
  return `rcpt_${turn === 1 ? '' : `${turn}_`}${column}`;
}

/** Whether a column of this name holds results of an earlier run. */
export function isResultColumn(name: string): boolean {
  const column = /^rcpt_(?:\d+_)?(.+)$/.exec(name)?.[1];
  return RESULT_COLUMNS.some((each) => each === column);
}

/** What stands in a result column: what JSON can hold. */
export function valueOf(answer: RowAnswer, column: Open<Column>): unknown {
  if (typeof answer === 'string') return column === 'reason' ? answer : column === 'meaning' ? UNASKED[answer] : null;
  const { result, asked } = answer;
  if (column === 'meaning') return explain(result).title;
  if (column === 'asked') return asked;
  // The service says that time ran out, as it does for a server that was asked and kept silent.
  if (column === 'reason' && isUnprobed(result)) return NOT_ASKED;
  const fields: Readonly<Record<string, unknown>> = result;
  return Object.hasOwn(fields, column) ? (fields[column] ?? null) : null;
}

const NOT_ASKED: Unasked = 'not_asked_yet';

/** As a cell: nothing for null, MX hosts with spaces between them, and as JSON what has parts of its own. */
export function cellOf(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
