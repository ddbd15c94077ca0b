import type { CellKind } from '../reading/row.ts';
import { daysOf } from '../reading/sheet-cell.ts';

// Rows → the XML of a sheet (ECMA-376 part 1, 18.3).

/** Style numbers of dates in `styles.xml`, after the plain style. */
const DATE_STYLES = { day: 1, moment: 2, time: 3 } as const;
/** A number as JSON and spreadsheets write it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Excel keeps this many digits of a whole number. */
const LONG_WHOLE = /^-?\d{16,}$/;
/** Characters that XML cannot hold or would change, and text that looks like such an escape. */
const ESCAPED = /(?![\t\n])\p{Cc}|[\p{Cs}\uFFFE\uFFFF]|_(?=x[\da-f]{4}_)/giu;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const HAS_MARKUP = /[&<>]/g;
/** White space that XML readers may drop. */
const SPACED = /^\s|\s$|[\t\n]/;

/** @param column from 0, @param row from 1 */
export function cellXml(text: string, kind: CellKind, column: string, row: number): string {
  if (text === '') return '';
  const place = `r="${column}${row}"`;
  switch (kind) {
    case 'number':
      if (!NUMBER.test(text) || LONG_WHOLE.test(text)) break;
      return `<c ${place}><v>${text}</v></c>`;
    case 'flag':
      if (!/^(?:true|false)$/i.test(text)) break;
      return `<c ${place} t="b"><v>${text.toLowerCase() === 'true' ? 1 : 0}</v></c>`;
    case 'date': {
      const days = daysOf(text);
      if (days === null) break;
      return `<c ${place} s="${DATE_STYLES[dateForm(text)]}"><v>${days}</v></c>`;
    }
    case 'text':
    case 'formula':
  }
  const space = SPACED.test(text) ? ' xml:space="preserve"' : '';
  return `<c ${place} t="inlineStr"><is><t${space}>${xmlOf(text)}</t></is></c>`;
}

function dateForm(text: string): keyof typeof DATE_STYLES {
  if (!text.includes(':')) return 'day';
  return text.includes('-') ? 'moment' : 'time';
}

function xmlOf(text: string): string {
  const written = text.replace(ESCAPED, (sign) => `_x${hexOf(sign)}_`);
  return written.replace(HAS_MARKUP, (sign) => MARKUP[sign] ?? sign);
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
