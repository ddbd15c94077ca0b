/**
 * How a formula begins in some spreadsheet (OWASP, "CSV Injection"): = and @, a sign, the full-width forms of these, a tab,
 * and line ends, after which a spreadsheet may see another cell.
 */
const FORMULA = /^[=@+\-\t\r\n\uFF1D\uFF20\uFF0B\uFF0D]/;
/** Begins with a sign and is no formula. */
const HARMLESS = [
  // Dashes for an empty cell.
  /^[+-]+$/,
  // A number or an amount, with separators: -1.234,50 €, +4.9E-5, -12 %.
  /^[+-] ?[$€£¥]? ?[.,]?\d+(?:[.,'’ \u00A0\u202F]\d+)*(?:e[+-]?\d{1,3})?[ \u00A0\u202F]?[%$€£¥]?$/i,
  // A phone number: +49 (0)30 1234-56 ext. 7.
  /^\+(?=(?:\D*\d){4})[\d ()./\u00A0-]{4,30}(?:(?:x|ext\.?|#) ?\d{1,6})?$/i,
];
/** What must be quoted, besides the delimiter. */
const SPECIAL = /["\r\n]|^\s|\s$/;

/** Makes Excel read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The cell, after an apostrophe if a spreadsheet would run it as a formula. Pure. */
export function harmless(cell: string): string {
  return FORMULA.test(cell) && !HARMLESS.some((form) => form.test(cell)) ? `'${cell}` : cell;
}

/** A row as a line of text with its end, by RFC 4180. Pure. */
export function csvLine(cells: readonly string[], delimiter: string, newline: string): string {
  const quoted = (cell: string): string =>
    SPECIAL.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `${cells.map(quoted).join(delimiter)}${newline}`;
}
