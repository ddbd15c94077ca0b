import { looksLikeAddress } from '../columns/address.ts';

// A quotation mark that opens and is not closed takes in the rows below it, up to the next mark in the file. If a
// separator happens to stand behind that one, the result is well-formed CSV, and rows are gone without a word.

const LINE_END = /\r\n|\r|\n/g;

type Cells = readonly string[];

/**
 * Where a cell begins that has taken in other rows: each of its lines is a row by itself, or one in the middle is. Pure.
 * @param width cells of a row: as the first of the list has
 * @returns the line, from 1, counted from the first of these rows; null if there is none
 */
export function swallowingLine(rows: readonly Cells[], width: number, delimiter: string): number | null {
  for (const [at, cells] of rows.entries()) {
    const column = cells.findIndex((cell, place) => spansLines(cell) && swallows(cells, place, { width, delimiter }));
    if (column === -1) continue;
    const before = rows.slice(0, at).reduce((sum, row) => sum + 1 + lineEndsIn(row), 0);
    return 1 + before + lineEndsIn(cells.slice(0, column));
  }
  return null;
}

function spansLines(cell: string): boolean {
  return cell.includes('\n') || cell.includes('\r');
}

function swallows(cells: Cells, column: number, form: { readonly width: number; readonly delimiter: string }): boolean {
  const lines = (cells[column] ?? '').split(LINE_END).map((line) => line.split(form.delimiter));
  const isRow = (row: Cells): boolean => row.length >= form.width && row.some(looksLikeAddress);
  if (form.width > 1 && lines.slice(1, -1).some(isRow)) return true;
  const last = lines.length - 1;
  return lines.every((line, nth) => {
    const before = nth === 0 ? cells.slice(0, column) : [];
    const after = nth === last ? cells.slice(column + 1) : [];
    return isRow([...before, ...line, ...after]);
  });
}

function lineEndsIn(cells: Cells): number {
  return cells.reduce((sum, cell) => sum + (cell.match(LINE_END)?.length ?? 0), 0);
}
