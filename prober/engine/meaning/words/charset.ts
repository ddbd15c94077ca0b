import { fold } from './fold.ts';
import { spaceOutCjk, standsFor } from './lexicon.ts';

/**
 * What servers send besides UTF-8: Cyrillic, Central European and Chinese. Western bytes need none: each is the
 * character of its number.
 */
const CHARSETS = ['windows-1251', 'iso-8859-2', 'gb18030'] as const;
const BYTES_BEYOND_ASCII = /[\x80-\xff]/;
const BEYOND_A_BYTE = /[^\0-\xff]/;
const WORD = /[a-zß-\u{10ffff}]+/gu;

/**
 * A text in the charset in which most of its words are known; unchanged if none knows more, if it is all ASCII, or if
 * its bytes were UTF-8 (`smtp/reply.ts` leaves others as the characters of their numbers).
 */
export function inItsCharset(text: string): string {
  if (!BYTES_BEYOND_ASCII.test(text) || BEYOND_A_BYTE.test(text)) return text;
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  const readings = CHARSETS.map((charset) => new TextDecoder(charset).decode(bytes));
  return readings.reduce((best, reading) => (knownWords(reading) > knownWords(best) ? reading : best), text);
}

const knownWords = (text: string): number =>
  (spaceOutCjk(fold(text)).match(WORD) ?? []).filter((word) => standsFor(word) !== undefined).length;
