import { parseObject } from './json-lines.ts';
import { UnreadableList } from './unreadable.ts';

// Text → the elements of one JSON array (RFC 8259), each as one line, so that lines of JSON and arrays are read alike.

/** An element beyond this is none of a list. */
const ELEMENT_CHARACTERS_MAX = 4_000_000;
/** All that a scanner has to stop at. */
const SIGNS = /["[\]{},]/g;
const STRING_END = /[^"\\]*(?:\\.[^"\\]*)*"/suy;

/** @param sample the beginning of a text */
export function isJsonArray(sample: string): boolean {
  return /^\s*\[\s*["{\]]/.test(sample);
}

/**
 * The elements as they stand, without line ends. A string is an address: `{"email": …}`.
 * @throws UnreadableList for an array that does not end, and for text behind it
 */
export async function* elementLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[], undefined> {
  let rest = '';
  let isOpen = false;
  let isClosed = false;
  let count = 0;
  for await (const piece of text) {
    rest += piece;
    if (isClosed) {
      refuseMore(rest);
      continue;
    }
    const begun: string = isOpen ? rest : rest.replace(/^\s*\[/, '');
    isOpen ||= begun !== rest;
    const { elements, end, closes } = elementsIn(begun);
    rest = begun.slice(end);
    isClosed = closes;
    if (isClosed) refuseMore(rest);
    if (rest.length > ELEMENT_CHARACTERS_MAX)
      throw new UnreadableList('too large', `Element ${count + elements.length + 1} of the array is too long.`);
    const lines = elements.map(lineOf);
    count += lines.length;
    if (lines.length > 0) yield lines;
  }
  if (!isClosed) throw new UnreadableList('damaged', `The JSON array is not closed after element ${count}.`);
}

type Elements = { readonly elements: readonly string[]; readonly end: number; readonly closes: boolean };

/** Those that are whole; what follows `end` is not. */
function elementsIn(text: string): Elements {
  const elements: string[] = [];
  let from = 0;
  let depth = 0;
  SIGNS.lastIndex = 0;
  for (let match = SIGNS.exec(text); match !== null; match = SIGNS.exec(text)) {
    const [sign] = match;
    if (sign === '"') {
      STRING_END.lastIndex = SIGNS.lastIndex;
      if (!STRING_END.test(text)) break;
      SIGNS.lastIndex = STRING_END.lastIndex;
    } else if (sign === '{' || sign === '[') depth += 1;
    else if (depth > 0) depth -= sign === ',' ? 0 : 1;
    else {
      elements.push(text.slice(from, match.index));
      from = match.index + 1;
      if (sign !== ',') return { elements, end: from, closes: true };
    }
  }
  return { elements, end: from, closes: false };
}

/** Line ends stand between the parts of a value only, never in a string. */
function lineOf(element: string): string {
  const line = element.replaceAll(/[\r\n]+/g, ' ').trim();
  return line.startsWith('"') && parseObject(`{"email":${line}}`) !== null ? `{"email":${line}}` : line;
}

function refuseMore(rest: string): void {
  if (rest.trim() !== '') throw new UnreadableList('damaged', 'Text follows the end of the JSON array.');
}
