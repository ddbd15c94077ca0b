import { ROW_CHARACTERS_MAX } from './row.ts';
import { UnreadableList } from './unreadable.ts';

// The XML of spreadsheets: elements that do not nest in themselves, attributes in either quotes, five entities. Every pattern
// takes linear time, even on hostile text.

const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const TEXT = /<(?:\w+:)?t\b[^<>]*?(?:\/>|>([^<]*)<\/(?:\w+:)?t>)/g;
/** Phonetic hints beside the text. */
const PHONETIC = /<(?:\w+:)?rPh\b(?:(?!<(?:\w+:)?rPh\b)[\s\S])*?<\/(?:\w+:)?rPh>/g;

export function unescape(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    ENTITY,
    (_all, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** How spreadsheets escape characters that XML cannot hold: `_x000D_` is a carriage return (ECMA-376, 22.9.2.19). */
const ESCAPED = /_x([\da-f]{4})_/gi;

/** A text as the user of the spreadsheet sees it. */
export function stringOf(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** The text of an element without its formatting. */
export function textOf(element: string): string {
  const plain = element.includes('rPh') ? element.replace(PHONETIC, '') : element;
  let text = '';
  for (const [, piece = ''] of plain.matchAll(TEXT)) text += piece;
  return stringOf(unescape(text));
}

/** The attributes of each element of this name. */
export function attributesOf(text: string, name: string): ReadonlyArray<ReadonlyMap<string, string>> {
  const tags = text.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b([^<>]*)>`, 'g'));
  return Array.from(tags, ([, inside = '']) => {
    const pairs = inside.matchAll(/(?<![\w:])([\w:]+)=(?:"([^"]*)"|'([^']*)')/g);
    return new Map(Array.from(pairs, ([, key = '', one, other = '']) => [key, unescape(one ?? other)] as const));
  });
}

/** The text cut before each element of this name; the first piece is what precedes all of them. */
export function cutAt(text: string, name: string): string[] {
  const begin = `<(?:\\w+:)?${name}[\\s/>]`;
  const pieces = text.split(new RegExp(`(?=${begin})`));
  return new RegExp(`^${begin}`).test(text) ? ['', ...pieces] : pieces;
}

/**
 * The elements of this name, from text in pieces, up to the end of their parent: links and formats follow it, in any number.
 * @throws UnreadableList for an element that does not end
 */
export async function* elements(
  pieces: AsyncIterable<string>,
  name: string,
  parent: string,
): AsyncGenerator<string[], undefined> {
  const isWhole = new RegExp(`^<[^<>]*/>|</(?:\\w+:)?${name}>`);
  const isEnd = new RegExp(`</(?:\\w+:)?${parent}>`);
  let rest = '';
  for await (const piece of pieces) {
    const [before = '', ...found] = cutAt(rest + piece, name);
    const last = found.at(-1) ?? before;
    const isDone = found.length > 0 && isWhole.test(last);
    const whole = isDone ? found : found.slice(0, -1);
    if (!whole.every((element) => isWhole.test(element))) throw endless();
    if (whole.length > 0) yield whole;
    if (isEnd.test(last)) return;
    // After the last whole element, another may begin.
    rest = isDone ? last.slice(last.lastIndexOf('>') + 1) : last;
    if (rest.length > ROW_CHARACTERS_MAX) throw endless();
  }
}

function endless(): UnreadableList {
  return new UnreadableList('damaged', 'The workbook is damaged: a row does not end.');
}
