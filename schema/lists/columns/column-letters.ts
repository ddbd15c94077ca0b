/** As spreadsheets call a column: 0 → A, 27 → AB. */
export function columnLetters(column: number): string {
  const before = column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1);
  return `${before}${String.fromCharCode(65 + (column % 26))}`;
}
