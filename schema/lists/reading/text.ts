import { UnreadableList } from './unreadable.ts';

// Bytes → text.

/** How a text is written as bytes. */
export type Encoding = {
  /** A label of the WHATWG Encoding Standard. */
  readonly label: string;
  /** It begins with a byte order mark, without which Excel takes UTF-8 for something else. */
  readonly hasMark: boolean;
  /** Nothing says so: it is what most files are that are not UTF-8. */
  readonly isGuess: boolean;
};

/**
 * What the first bytes say: a byte order mark, else UTF-16 by its zeros, else UTF-8.
 * @param isWhole whether there are no bytes but these
 * @param wanted what the user says instead; null: nothing
 * @param guesses whether bytes that are not UTF-8 are taken for Windows-1252
 * @throws UnreadableList if nobody knows that encoding
 */
export function encodingOf(start: Uint8Array, isWhole: boolean, wanted: string | null, guesses: boolean): Encoding {
  const [first = 1, second = 1, third = 1] = start;
  const marked =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : first === 0xef && second === 0xbb && third === 0xbf
          ? 'utf-8'
          : null;
  const zeros = second === 0 ? 'utf-16le' : first === 0 ? 'utf-16be' : null;
  const said = wanted ?? marked ?? zeros;
  const isGuess = said === null && guesses && !isUtf8(start, isWhole);
  const label = said ?? (isGuess ? 'windows-1252' : 'utf-8');
  try {
    return { label: new TextDecoder(label).encoding, hasMark: marked !== null, isGuess };
  } catch {
    throw new UnreadableList('unknown encoding', `No such encoding is known: ${label}.`);
  }
}

function isUtf8(start: Uint8Array, isWhole: boolean): boolean {
  try {
    // A character that is cut at the end is not a fault.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param isStrict whether a byte that fits nowhere ends it; else U+FFFD stands for it
 * @throws UnreadableList
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  label: string,
  isStrict: boolean,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder(label, { fatal: isStrict });
  let at = 0;
  const read = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      const place = `after byte ${at.toLocaleString('en')}`;
      throw new UnreadableList('encoding', `The file is not ${label} somewhere ${place}.`, { cause: error });
    }
  };
  for await (const chunk of bytes) {
    const text = read(chunk);
    if (text !== '') yield text;
    at += chunk.length;
  }
  const rest = read();
  if (rest !== '') yield rest;
}

/** How lines end: as the first one does. */
export function newlineOf(sample: string): '\n' | '\r\n' {
  const at = sample.indexOf('\n');
  return at > 0 && sample[at - 1] === '\r' ? '\r\n' : '\n';
}
