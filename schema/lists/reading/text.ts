import { decoderOf } from './decoder.ts';
import { refuseBinary } from './format.ts';
import { legacyEncoding } from './legacy.ts';
import { linesIn } from './lines.ts';
import { bytesOf, type Source } from './source.ts';
import { UnreadableList } from './unreadable.ts';

// Bytes → text.

export type Encoding = {
  /** A label of the WHATWG Encoding Standard. */
  readonly label: string;
  /** With a byte order mark, without which Excel misreads UTF-8. */
  readonly hasMark: boolean;
  /** If nobody said it and the file is not UTF-8: some words as they are read, for its owner to judge. Else null. */
  readonly guessedBy: string | null;
};

/**
 * By a byte order mark, else UTF-16 if every other byte is zero, UTF-8 if every byte is, else the one of before Unicode that fits best.
 * @param wanted the user's choice; null: none
 * @throws UnreadableList for an unknown encoding, for a file that mixes two, and for binary data
 */
export async function encodingOf(source: Source, start: Uint8Array, wanted: string | null): Promise<Encoding> {
  const marked = markOf(start);
  const said = wanted ?? marked ?? unmarkedUtf16(start);
  // Binary data has no encoding.
  if (said === null) refuseBinary(new TextDecoder().decode(start));
  const hasMark = marked !== null;
  const strange = said === null ? await strangeLines(source) : null;
  if (strange !== null) {
    const label = legacyEncoding(strange.bytes);
    if (label !== 'utf-8') return { label, hasMark, guessedBy: wordsIn(decoderOf(label).decode(strange.bytes)) };
    throw new UnreadableList(
      'encoding',
      `Line ${strange.line} is not in UTF-8, but others are. Save the file as UTF-8.`,
    );
  }
  try {
    return { label: decoderOf(said ?? 'utf-8').encoding, hasMark, guessedBy: null };
  } catch {
    throw new UnreadableList('unknown encoding', `Unknown encoding: ${said}.`);
  }
}

/** The encoding that a byte order mark names; null without one. */
function markOf([first = 1, second = 1, third = 1]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

/** Text in Latin letters has a zero byte in most characters of UTF-16, on one side. Null for anything else. */
function unmarkedUtf16(start: Uint8Array): string | null {
  const zeros = [0, 0];
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 4 < start.length || Math.min(even, odd) * 10 > Math.max(even, odd)) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** As much shows which encoding it is. */
const STRANGE_BYTES_MAX = 65_536;

/** What encodings are called, and those among which one is found. */
export const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'windows-1252': 'Western European (Windows-1252)',
  macintosh: 'Western European (Mac)',
  ibm850: 'Western European (MS-DOS)',
  'windows-1250': 'Central European (Windows-1250)',
  'iso-8859-2': 'Central European (ISO-8859-2)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  ibm866: 'Cyrillic (MS-DOS)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-874': 'Thai (Windows-874)',
  gbk: 'Chinese, simplified (GBK)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
  shift_jis: 'Japanese (Shift_JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
};

/** What people are told of a guess; null: there was none. */
export function guessWords({ label, guessedBy }: Encoding): string | null {
  if (guessedBy === null) return null;
  const words = guessedBy === '' ? '' : `, with words such as ${guessedBy}`;
  return `not in UTF-8, and read as ${ENCODINGS[label] ?? label}${words}`;
}

/** Lines with bytes beyond ASCII, and the number of the first that is not UTF-8; null if the whole file is UTF-8. */
async function strangeLines(source: Source): Promise<{ readonly bytes: Uint8Array; readonly line: number } | null> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of bytesOf(source)) strict.decode(piece, { stream: true });
    strict.decode();
    return null;
  } catch {
    // Where, and what else is there?
  }
  // Each byte as one character.
  const latin = new TextDecoder('latin1');
  const found: number[] = [];
  let [lines, line] = [0, 0];
  const loose = new TextDecoder();
  for await (const piece of bytesOf(source)) {
    const text = loose.decode(piece, { stream: true });
    const at = line === 0 ? text.indexOf('\uFFFD') : -1;
    if (at !== -1) line = lines + linesIn(text, at) + 1;
    lines += linesIn(text);
    let from = 0;
    for (const part of latin.decode(piece).split('\n')) {
      const to = from + part.length;
      if (/[^\0-\x7F]/.test(part))
        for (const byte of piece.subarray(from, Math.min(to, from + STRANGE_BYTES_MAX - found.length)))
          found.push(byte);
      if (found.at(-1) !== 10) found.push(10);
      from = to + 1;
    }
    if (line > 0 && found.length >= STRANGE_BYTES_MAX) break;
  }
  return { bytes: Uint8Array.from(found), line };
}

const WORDS_SHOWN = 3;
const WORD_MAX = 24;

/** Some words with letters beyond ASCII, and no address. */
function wordsIn(text: string): string {
  const words = text
    .split(/[\s,;|"]+/)
    .filter((word) => /[^\0-\x7F]/.test(word) && !word.includes('@') && word.length <= WORD_MAX);
  return [...new Set(words)].slice(0, WORDS_SHOWN).join(', ');
}

/** @throws UnreadableList for a byte that is invalid in the encoding */
export async function* decode(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<string, undefined> {
  const decoder = decoderOf(label, { fatal: true });
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
