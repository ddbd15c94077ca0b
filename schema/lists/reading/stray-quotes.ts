/**
 * Rewrites common deviations from RFC 4180 so that the parser reads what was meant: `"Bob" B` is a cell with two quotation
 * marks, and lines may end in CR alone. Correct cells stay as they are, and so do a last cell that may continue, and text
 * after a quoted cell of several lines: there an unclosed quotation mark has swallowed rows. Pure.
 * @param delimiter one character
 */
export function mendCells(text: string, delimiter: string): string {
  const sign = delimiter.replace(/[\\^\]-]/, String.raw`\$&`);
  const end = String.raw`(\r\n|[${sign}\r\n])`;
  // A quoted cell, text after its closing quote, and its end; or a quoted cell still open; or an unquoted cell.
  const cell = new RegExp(
    String.raw`"([^"]*(?:""[^"]*)*)(?:"([^${sign}\r\n]*)(?:${end}|$)|$)|([^"${sign}\r\n][^${sign}\r\n]*)?(?:${end}|$)`,
    'g',
  );
  let mended = '';
  for (const match of text.matchAll(cell)) {
    const [all, inside = '', behind = '', quotedEnd = '', plain = '', plainEnd = ''] = match;
    const ending = quotedEnd === '' ? plainEnd : quotedEnd;
    const written = ending === '\r\n' || ending === '\r' ? '\n' : ending;
    // A cell without an end may continue, and so may a CR.
    if (ending === '' || (ending === '\r' && match.index + all.length === text.length)) mended += all;
    else if (quotedEnd === '') mended += plain + written;
    else if (behind.trim() !== '' && /[\r\n]/.test(inside)) mended += all;
    else if (behind.trim() === '') mended += `"${inside}"${written}`;
    else mended += `"""${inside}""${behind.replaceAll('"', '""')}"${written}`;
  }
  return mended;
}
