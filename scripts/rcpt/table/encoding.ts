import { Failure } from '../failure/failure.ts';

/** How a text is written as bytes. */
export type Encoding = {
  /** A label of the WHATWG Encoding Standard. */
  readonly label: string;
  /** It begins with a byte order mark, without which Excel takes UTF-8 for something else. */
  readonly hasMark: boolean;
};

/**
 * What the first bytes say: a byte order mark, else UTF-16 by its zeros, else UTF-8.
 * @param wanted what the user says instead; null if nothing
 * @throws Failure if nobody knows that encoding
 */
export function encodingOf(start: Uint8Array, wanted: string | null): Encoding {
  const [first = 1, second = 1, third = 1] = start;
  const marked =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : first === 0xef && second === 0xbb && third === 0xbf
          ? 'utf-8'
          : null;
  const label = wanted ?? marked ?? (second === 0 ? 'utf-16le' : first === 0 ? 'utf-16be' : 'utf-8');
  try {
    return { label: new TextDecoder(label).encoding, hasMark: marked !== null };
  } catch {
    throw new Failure('usage', `--encoding ${label}: no such encoding is known. Try windows-1252 or utf-16le.`);
  }
}

/** @throws Failure if a byte fits nowhere */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  { label }: Encoding,
  name: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: true });
  let at = 0;
  const read = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      const place = `after byte ${at.toLocaleString('en')}`;
      throw new Failure(
        'input',
        `${name} is not ${label} somewhere ${place}. Say how it is written, as in --encoding windows-1252.`,
      );
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
