import type { Reading } from '../reading/open-file.ts';

export type ColumnChoice = Reading & {
  readonly column: number;
  /** A row names the columns: the first, or the first below titles. */
  readonly hasHeader: boolean;
};

/** `Email (column B)`, or `Column B` without a name. */
export function columnName(
  names: readonly string[],
  { column, hasHeader }: Pick<ColumnChoice, 'column' | 'hasHeader'>,
): string {
  const name = hasHeader ? (names[column] ?? '').trim() : '';
  return name === '' ? `Column ${letters(column)}` : `${name} (column ${letters(column)})`;
}

/** 0 → `A`, 27 → `AB`, as spreadsheets call them. */
function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (column % 26));
}
