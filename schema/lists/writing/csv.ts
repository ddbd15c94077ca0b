/**
 * Cells that a spreadsheet would take for a formula, and run: those that begin with = + - @, a tab or a line end. A plain
 * number with its sign is safe.
 */
const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$)[=+\-@\t\r\n]/;
/** What must be quoted, besides the delimiter. */
const SPECIAL = /["\r\n]|^\s|\s$/;

/** Makes Excel read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The cell, with an apostrophe in front if a spreadsheet would run it as a formula. */
export function harmless(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** A row as a line of text with its end, by RFC 4180. Pure. */
export function csvLine(cells: readonly string[], delimiter: string, newline: string): string {
  const quoted = (cell: string): string =>
    SPECIAL.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `${cells.map(quoted).join(delimiter)}${newline}`;
}
