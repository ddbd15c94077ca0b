import { UnreadableList } from './unreadable.ts';

/** No line of a list is longer. */
const LINE_CHARACTERS_MAX = 4_000_000;

/** The number of line feeds in a text before this position. */
export function linesIn(text: string, to = text.length): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Lines without their ends, in batches and in bounded memory. @throws UnreadableList for an endless line */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly string[], undefined> {
  let rest = '';
  let cr = '';
  for await (const piece of text) {
    // A CR at the end may be half of a CR LF.
    const begun = cr + piece;
    cr = begun.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = begun.slice(0, begun.length - cr.length).split(/\r?\n|\r/);
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new UnreadableList(
        'too large',
        `A line has more than ${LINE_CHARACTERS_MAX.toLocaleString('en')} characters.`,
      );
    if (lines.length > 0) yield lines;
  }
  if (rest + cr !== '') yield [rest];
}
