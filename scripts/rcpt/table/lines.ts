import { Failure } from '../failure/failure.ts';

/** A line beyond this is no line of a list. */
const LINE_CHARACTERS_MAX = 4_000_000;

/** Lines without their ends, in bounded memory. @throws Failure for a line that does not end */
export async function* linesOf(text: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new Failure(
        'input',
        `${name} has a line of more than ${LINE_CHARACTERS_MAX.toLocaleString('en')} characters.`,
      );
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest.endsWith('\r') ? rest.slice(0, -1) : rest;
}
