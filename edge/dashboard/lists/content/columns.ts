import { addressIn } from './cell.ts';

export type ColumnChoice = {
  readonly column: number;
  /** The first row names the columns. */
  readonly hasHeader: boolean;
};

const NAMES = /^(?:e-?mail|mail|correo|courriel|адрес|メール)|e-?mail/i;
/** Besides what looks like an address, a name counts as much as this share of the rows. */
const NAME_WEIGHT = 0.2;

/**
 * Finds the column of the addresses by what stands in it; its name decides between two of the kind.
 * @param rows from the top of the file
 * @returns null if no column has an address
 */
export function findColumn(rows: readonly (readonly string[])[]): ColumnChoice | null {
  const [first = []] = rows;
  const width = Math.max(0, ...rows.map((row) => row.length));
  let best: { column: number; score: number } | null = null;
  for (let column = 0; column < width; column += 1) {
    const found = rows.filter((row) => looksLikeAddress(row[column] ?? '')).length;
    if (found === 0) continue;
    const score = found / rows.length + (NAMES.test((first[column] ?? '').trim()) ? NAME_WEIGHT : 0);
    if (best === null || score > best.score) best = { column, score };
  }
  return best === null ? null : { column: best.column, hasHeader: isHeader(first, best.column) };
}

/** Whether the first row names the columns: where addresses should be, it has something else. */
export function isHeader(first: readonly string[], column: number): boolean {
  const cell = first[column] ?? '';
  return cell.trim() !== '' && !looksLikeAddress(cell);
}

function looksLikeAddress(cell: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(addressIn(cell));
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
