import { losesDigits } from './json-lines.ts';
import { UnreadableList } from './unreadable.ts';

// Text → the elements of one JSON array (RFC 8259), each as one line, so that lines of JSON and arrays are read alike.

/** All of it is in memory: a longer list has one object a line. */
const CHARACTERS_MAX = 50_000_000;
/** Handed out at once. */
const BATCH = 1_000;

/** @param sample the beginning of a text */
export function isJsonArray(sample: string): boolean {
  return /^\s*\[\s*["{\]]/.test(sample);
}

/**
 * The elements as lines of JSON. A string is an address: `{"email": …}`.
 * @throws UnreadableList for what is no array, or would not come back as it stands
 */
export async function* elementLines(text: AsyncIterable<string>): AsyncGenerator<readonly string[], undefined> {
  let all = '';
  for await (const piece of text) {
    all += piece;
    if (all.length > CHARACTERS_MAX)
      throw new UnreadableList('too large', 'The JSON array is too long. Save the list with one object a line.');
  }
  if (losesDigits(all))
    throw new UnreadableList(
      'inexact',
      'The JSON array has a number with more digits than can be kept. Save the list with one object a line.',
    );
  const elements = parsed(all);
  for (let at = 0; at < elements.length; at += BATCH) yield elements.slice(at, at + BATCH).map(lineOf);
}

/** @throws UnreadableList */
function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new UnreadableList('damaged', 'The file is not a whole JSON array.');
}

function lineOf(element: unknown): string {
  return JSON.stringify(typeof element === 'string' ? { email: element } : element);
}
