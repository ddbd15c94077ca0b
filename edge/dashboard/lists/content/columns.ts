import { findAddressColumn } from '../../../../schema/lists/columns/address-column.ts';
import { namesColumns, namesOf } from '../../../../schema/lists/reading/table.ts';

export type ColumnChoice = {
  readonly column: number;
  /** The first row names the columns. */
  readonly hasHeader: boolean;
  /** Of a workbook. */
  readonly sheet?: string;
};

/**
 * The likeliest column of addresses: the reader may choose another.
 * @param rows from the top of the file, with that which may name the columns
 * @returns `rivals`: if addresses stand in several and their names do not decide, all of these, the likeliest first; else
 * none
 */
export function findColumn(rows: readonly (readonly string[])[]): {
  readonly choice: ColumnChoice;
  readonly rivals: readonly number[];
} {
  const [first = []] = rows;
  const hasHeader = namesColumns(first);
  const found = findAddressColumn(namesOf(first, hasHeader), hasHeader ? rows.slice(1) : rows);
  switch (found.kind) {
    case 'found':
      return { choice: { column: found.column, hasHeader }, rivals: [] };
    case 'several':
      return { choice: { column: found.columns[0], hasHeader }, rivals: found.columns };
    case 'none':
      return { choice: { column: found.likeliest ?? 0, hasHeader }, rivals: [] };
  }
}

/** `Email (column B)`, or `Column B` without a name. */
export function columnName(first: readonly string[], { column, hasHeader }: ColumnChoice): string {
  const name = hasHeader ? (first[column] ?? '').trim() : '';
  return name === '' ? `Column ${letters(column)}` : `${name} (column ${letters(column)})`;
}

/** 0 → `A`, 27 → `AB`, as spreadsheets call them. */
function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (column % 26));
}
