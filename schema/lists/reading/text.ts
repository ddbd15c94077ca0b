import { refuseBinary } from './format.ts';
import { linesIn } from './lines.ts';
import { bytesOf, type Source } from './source.ts';
import { UnreadableList } from './unreadable.ts';

// Bytes → text.

/** A text encoding. */
export type Encoding = {
  /** A label of the WHATWG Encoding Standard. */
  readonly label: string;
  /** With a byte order mark, without which Excel misreads UTF-8. */
  readonly hasMark: boolean;
  /** Assumed: most files that are not UTF-8 are Windows-1252. */
  readonly isGuess: boolean;
};

/**
 * By a byte order mark, else UTF-8. A file that is not valid UTF-8 throughout is read as Windows-1252.
 * @param wanted the user's choice; null: none
 * @throws UnreadableList for an unknown encoding, for a file that mixes two, and for binary data
 */
export async function encodingOf(source: Source, start: Uint8Array, wanted: string | null): Promise<Encoding> {
  const marked = markOf(start);
  const said = wanted ?? marked;
  // Binary data has no encoding.
  if (said === null) refuseBinary(new TextDecoder().decode(start));
  const isGuess = said === null && (await isWindows1252(source));
  const label = said ?? (isGuess ? 'windows-1252' : 'utf-8');
  try {
    return { label: new TextDecoder(label).encoding, hasMark: marked !== null, isGuess };
  } catch {
    throw new UnreadableList('unknown encoding', `Unknown encoding: ${label}.`);
  }
}

/** The encoding that a byte order mark names; null without one. */
function markOf([first = 1, second = 1, third = 1]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

/** Whether a file is not UTF-8. @throws UnreadableList if it mixes UTF-8 and other bytes */
async function isWindows1252(source: Source): Promise<boolean> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of bytesOf(source)) strict.decode(piece, { stream: true });
    strict.decode();
    return false;
  } catch {
    // Does it also have UTF-8 beyond ASCII?
  }
  const decoder = new TextDecoder();
  let lines = 0;
  let strange: number | null = null;
  let hasUtf8 = false;
  for await (const piece of bytesOf(source)) {
    const text = decoder.decode(piece, { stream: true });
    const at: number = strange === null ? text.indexOf('\uFFFD') : -1;
    if (at !== -1) strange = lines + linesIn(text, at) + 1;
    lines += linesIn(text);
    hasUtf8 ||= BEYOND_ASCII.test(text);
    if (hasUtf8 && strange !== null)
      throw new UnreadableList('encoding', `Line ${strange} is not in UTF-8, but others are. Save the file as UTF-8.`);
  }
  return true;
}

const BEYOND_ASCII = /[^\p{ASCII}\uFFFD]/u;

/** @throws UnreadableList for a byte that is invalid in the encoding */
export async function* decode(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError
      ? new UnreadableList('encoding', `It is not in ${label}.`, { cause: error })
      : error;
  }
}

/** The line end, by the first line. */
export function newlineOf(sample: string): '\n' | '\r\n' {
  const at = sample.indexOf('\n');
  return at > 0 && sample[at - 1] === '\r' ? '\r\n' : '\n';
}
