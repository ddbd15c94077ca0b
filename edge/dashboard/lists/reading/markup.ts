import { ROW_CHARS_MAX, UnreadableFile } from './table.ts';

// As much XML as spreadsheets have: elements that do not nest in themselves, attributes in double quotes, five entities.

const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const TEXT = /<(?:\w+:)?t\b[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?t>)/g;
/** How a word is pronounced, beside the word. */
const PHONETIC = /<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g;

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

/** The text of an element, whatever it is formatted like. */
export function textOf(element: string): string {
  const plain = element.includes('rPh') ? element.replace(PHONETIC, '') : element;
  let text = '';
  for (const [, piece = ''] of plain.matchAll(TEXT)) text += piece;
  return unescape(text);
}

/** The attributes of each element of this name. */
export function attributesOf(text: string, name: string): ReadonlyArray<ReadonlyMap<string, string>> {
  const tags = text.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b([^>]*)>`, 'g'));
  return Array.from(tags, ([, inside = '']) => {
    const pairs = inside.matchAll(/([\w:]+)="([^"]*)"/g);
    return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, unescape(value)] as const));
  });
}

/**
 * The elements of this name in a text that comes in pieces, batch by batch.
 * @throws UnreadableFile for one that does not end
 */
export async function* elements(pieces: AsyncIterable<string>, name: string): AsyncGenerator<string[], undefined> {
  const whole = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?(?:/>|>[\\s\\S]*?</(?:\\w+:)?${name}>)`, 'g');
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    const batch: string[] = [];
    let end = 0;
    for (const match of rest.matchAll(whole)) {
      batch.push(match[0]);
      end = match.index + match[0].length;
    }
    rest = rest.slice(end);
    if (rest.length > ROW_CHARS_MAX) throw new UnreadableFile('The workbook is damaged: a row does not end.');
    if (batch.length > 0) yield batch;
  }
}
