/**
 * Cells as people write them, written as RFC 4180 wants them, so that a parser of it reads what they meant:
 * `"Bob" B` is a cell with two quotation marks, and lines may end in CR alone. A cell at the end that may go on is left as
 * it is, and what is well written stays as it is, and so does text behind a quoted cell of several lines: there a quotation
 * mark was not closed and has taken in the rows that follow. Pure.
 * @param delimiter one character
 */
export function mendCells(text: string, delimiter: string): string {
  const sign = delimiter.replace(/[\\^\]-]/, String.raw`\$&`);
  const end = String.raw`(\r\n|[${sign}\r\n])`;
  // A cell in quotes, what stands behind it, and what ends it; one that is open at the end; a cell without.
  const cell = new RegExp(
    String.raw`"([^"]*(?:""[^"]*)*)(?:"([^${sign}\r\n]*)(?:${end}|$)|$)|([^"${sign}\r\n][^${sign}\r\n]*)?(?:${end}|$)`,
    'g',
  );
  let mended = '';
  for (const match of text.matchAll(cell)) {
    const [all, inside = '', behind = '', quotedEnd = '', plain = '', plainEnd = ''] = match;
    const ending = quotedEnd === '' ? plainEnd : quotedEnd;
    const written = ending === '\r\n' || ending === '\r' ? '\n' : ending;
    // A cell without an end may go on, and so may a line end of CR.
    if (ending === '' || (ending === '\r' && match.index + all.length === text.length)) mended += all;
    else if (quotedEnd === '') mended += plain + written;
    else if (behind.trim() !== '' && /[\r\n]/.test(inside)) mended += all;
    else if (behind.trim() === '') mended += `"${inside}"${written}`;
    else mended += `"""${inside}""${behind.replaceAll('"', '""')}"${written}`;
  }
  return mended;
}
