import type { OpenResult } from '../../../schema/words/result.ts';

/** What is known of one row. */
export type Answer = { readonly result: OpenResult; readonly asked: number };

type Field = keyof OpenResult | 'asked';
type Value = OpenResult[keyof OpenResult];

/** What is said of each address, in the order of the columns: what one filters by comes first. */
export const FIELDS: readonly Field[] = [
  'status',
  'score',
  'result',
  'reason',
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
  'email',
  'asked',
];

/** Our names for them: those of the list keep theirs, so ours give way, and all of them together. */
export function namesOfOurs(taken: readonly string[]): readonly string[] {
  const others = new Set(taken);
  for (let turn = 1; ; turn += 1) {
    const names = FIELDS.map((field) => `rcpt_${turn === 1 ? '' : `${turn}_`}${field}`);
    if (!names.some((name) => others.has(name))) return names;
  }
}

/** Where ours stand in a list that this command wrote; null if one is missing. */
export function placesOfOurs(names: readonly string[]): readonly number[] | null {
  const places = FIELDS.map((field) => names.indexOf(`rcpt_${field}`));
  return places.includes(-1) ? null : places;
}

export function valuesOf({ result, asked }: Answer): readonly Value[] {
  return FIELDS.map((field) => (field === 'asked' ? asked : result[field]));
}

/** As a cell: nothing for null, MX hosts with spaces between them. */
export function cellOf(value: Value): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
