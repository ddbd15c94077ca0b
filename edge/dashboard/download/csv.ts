import Papa from 'papaparse';

/**
 * Cells that a spreadsheet would take for a formula, and run: those that begin with = + - @, a tab or a return. A plain
 * number with its sign is safe, and stays as it is.
 */
export const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$)[=+\-@\t\r]/;

/** Makes Excel read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Rows as text, with every cell that could be a formula made harmless by an apostrophe. Pure. */
export function csvOf(rows: ReadonlyArray<readonly string[]>, delimiter: string): string {
  return `${Papa.unparse(rows, { delimiter, newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}
