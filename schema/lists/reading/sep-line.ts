/** Excel's own first line, which names the separator: `sep=;`. */
const SEP_LINE = /^"?sep=(.)"?\r?(?:\n|$)/i;

/** The separator that the first line names; null if it is an ordinary row. @param sample without a byte order mark */
export function namedDelimiter(sample: string): string | null {
  return SEP_LINE.exec(sample)?.[1] ?? null;
}

/** What follows the first line. */
export async function* withoutFirstLine(text: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let isInside = true;
  for await (const piece of text) {
    const end = isInside ? piece.indexOf('\n') : -1;
    if (isInside && end === -1) continue;
    isInside = false;
    if (end + 1 < piece.length) yield piece.slice(end + 1);
  }
}
