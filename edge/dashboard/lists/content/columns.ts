import { columnLetters } from '../../../../schema/lists/columns/column-letters.ts';
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
  return name === '' ? `Column ${columnLetters(column)}` : `${name} (column ${columnLetters(column)})`;
}
