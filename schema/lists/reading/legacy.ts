import { decoderOf } from './decoder.ts';

// Which encoding of before Unicode fits bytes best: by the words or characters that it makes of them.

/** Alphabets beyond ASCII. A list of one language fits its alphabet, a list of several at least what is written around it. */
const WEST = 'äöüßéèêëàâçîïôûùñáíóúåæøõãœìòÿ';
const CENTRAL = 'ąćęłńóśźżáčďéěíňřšťúůýžäöüőűßôľĺŕăâîşţđçë';
const ALPHABETS: ReadonlyArray<readonly [label: string, letters: string, weight: number]> = [
  ['windows-1252', 'äöüßé', 1],
  ['windows-1252', 'éèêëàâçîïôûùœæ', 1],
  ['windows-1252', 'ñáéíóúüçãâêôà', 1],
  ['windows-1252', 'åæøäöé', 1],
  ['windows-1252', 'àèéìòù', 1],
  ['windows-1250', 'ąćęłńóśźż', 1],
  ['windows-1250', 'áčďéěíňóřšťúůýž', 1],
  ['windows-1250', 'áäčďéíľĺňóôŕšťúýž', 1],
  ['windows-1250', 'áéíóöőúüű', 1],
  ['windows-1250', 'ăâîşţ', 1],
  ['windows-1250', 'čćđšž', 1],
  ['windows-1254', 'çğıi̇öşüâîû', 1],
  ['windows-1257', 'ąčęėįšųūž', 1],
  ['windows-1257', 'āčēģīķļņšūž', 1],
  ['iso-8859-2', 'ąćęłńóśźż', 1],
  ['iso-8859-2', 'áčďéěíňóřšťúůýž', 1],
  ['windows-1252', WEST, 0.9],
  ['windows-1250', CENTRAL, 0.9],
];
/** What stands around words in any of them, and what stands before a number or a capital alone. */
const MARKS = /^[\u00A0«»„“”‘’‚–—…•™®©°§€£№·´¡¿ªº]/u;
const ODD = /^[£§°·´¡¿ªº©®]\p{Ll}/u;
/** Portuguese has õ in no other place, and Hungarian has ő everywhere. */
const PORTUGUESE = /õ(?=e)/giu;
const HIGH = /[^\0-\x7F]/u;
const CASED = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
/** Letters that are rare in Greek, and stand for the most usual ones of Russian. */
const RARE_GREEK = /[ΐΰ]|ς(?=\p{L})|σ$/u;

/** Words in which letters of two scripts are mixed are of another encoding, and so are those whose capitals are. */
const isCyrillic = (word: string): boolean => /^\p{sc=Cyrillic}+$/u.test(word) && CASED.test(word);
const isGreek = (word: string): boolean => /^\p{sc=Greek}+$/u.test(word) && CASED.test(word) && !RARE_GREEK.test(word);
/** Vowels and tones follow a consonant. */
const isThai = (word: string): boolean => /^(?:[เ-ไ]?[ก-ฮ][ัิ-ฺ็-๎]*[ะาำๅๆฯ]*)+$/u.test(word);
/** What few words of another encoding look like. */
const isWestern = (word: string): boolean =>
  CASED.test(word) && Array.from(word).every((each) => !HIGH.test(each) || WEST.includes(each.toLowerCase()));
const SCRIPTS = [
  ['windows-1255', (word: string): boolean => /^[א-ת]+$/u.test(word)],
  ['windows-1251', isCyrillic],
  ['koi8-r', isCyrillic],
  ['ibm866', isCyrillic],
  ['windows-1253', isGreek],
  ['windows-1256', (word: string): boolean => /^\p{sc=Arabic}+$/u.test(word)],
  ['macintosh', isWestern],
  ['ibm850', isWestern],
] as const;

const WHOLE_LEAST = 10;

/** Pairs of bytes of the characters that are used most, and of their punctuation. */
type Zone = (lead: number, trail: number) => boolean;
const within = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to;
const PAIRS: ReadonlyArray<readonly [label: string, isUsual: Zone]> = [
  ['euc-kr', (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xc8) || lead === 0xa1)],
  ['gbk', (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xd7) || lead === 0xa1 || lead === 0xa3)],
  ['euc-jp', (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xcf) || [0xa1, 0xa4, 0xa5].includes(lead))],
  ['big5', (lead, trail) => (within(lead, 0xa4, 0xc6) ? trail >= 0x40 : lead === 0xa1)],
  ['shift_jis', (lead, trail) => (within(lead, 0x81, 0x83) || within(lead, 0x88, 0x97)) && trail >= 0x40],
];

/**
 * @param bytes lines that have bytes beyond ASCII
 * @returns the label of the encoding; `utf-8` if most of it is that nevertheless
 */
export function legacyEncoding(bytes: Uint8Array): string {
  const utf8 = new TextDecoder().decode(bytes);
  const broken = utf8.split('\uFFFD').length - 1;
  // Bytes of another encoding may be UTF-8 by chance, but not this many.
  const whole = Array.from(utf8.matchAll(/[^\0-\x7F\uFFFD]/gu)).length;
  if (whole >= WHOLE_LEAST && whole > broken * 9) return 'utf-8';
  const scores: (readonly [label: string, score: number])[] = ALPHABETS.map(([label, letters, weight]) => [
    label,
    weight *
      share(decoderOf(label).decode(bytes), (word) =>
        Array.from(word.replace(PORTUGUESE, '')).every(
          (each) => !HIGH.test(each) || letters.includes(each.toLowerCase()),
        ),
      ),
  ]);
  for (const [label, isWord] of SCRIPTS) scores.push([label, share(decoderOf(label).decode(bytes), isWord)]);
  for (const [label, isUsual] of PAIRS) scores.push([label, usualPairs(bytes, isUsual)]);
  // Short words in Chinese characters may look like this, and hardly the other way round.
  scores.push(['windows-874', share(decoderOf('windows-874').decode(bytes), isThai)]);
  scores.push(['utf-8', share(utf8, () => true)]);
  return scores.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Of the characters beyond ASCII, the share that stands in words as they should be, or around words. */
function share(text: string, isWord: (word: string) => boolean): number {
  let [all, usual] = [0, 0];
  for (const match of text.matchAll(/[\p{L}\p{M}]+|[^\p{L}\p{M}\0-\x7F]/gu)) {
    const [word] = match;
    const high = Array.from(word).filter((each) => HIGH.test(each)).length;
    all += high;
    const isMark = MARKS.test(word) && !ODD.test(text.slice(match.index, match.index + 2));
    if (/^\p{L}/u.test(word) ? isWord(word) : isMark) usual += high;
  }
  return all === 0 ? 0 : usual / all;
}

/** Of the pairs, the share that makes usual characters. */
function usualPairs(bytes: Uint8Array, isUsual: Zone): number {
  let [all, usual] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    all += 1;
    if (isUsual(lead, bytes[at + 1] ?? 0)) usual += 1;
    at += 1;
  }
  return all === 0 ? 0 : usual / all;
}
