import { attributesOf, stringOf, textOf, unescape } from './markup.ts';
import type { CellKind } from './row.ts';

/** What cells refer to. */
export type Lookups = {
  readonly shared: readonly string[];
  /** Styles that format a number as a date. */
  readonly dateStyles: ReadonlySet<number>;
  /** Days count from 1904 rather than 1900. */
  readonly is1904: boolean;
};

/** Built-in number formats of dates and times (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** The styles of a workbook that format dates, from its `styles.xml`. Pure. */
export function dateStyles(styles: string): ReadonlySet<number> {
  const own = new Set(
    attributesOf(styles, 'numFmt')
      .filter((format) => /[ymdhs]/i.test((format.get('formatCode') ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')))
      .map((format) => Number(format.get('numFmtId'))),
  );
  const [, cellStyles = ''] = styles.split(/<\/?(?:\w+:)?cellXfs\b/, 2);
  const found = new Set<number>();
  for (const [index, style] of attributesOf(cellStyles, 'xf').entries()) {
    const format = Number(style.get('numFmtId'));
    if (DATE_FORMATS.has(format) || own.has(format)) found.add(index);
  }
  return found;
}

type Cell = { readonly text: string; readonly kind: CellKind };

/** A cell as text. Pure. */
export function readCell(attributes: string, content: string, { shared, dateStyles: dates, is1904 }: Lookups): Cell {
  const type = /\bt=["'](\w+)["']/.exec(attributes)?.[1] ?? 'n';
  if (type === 'inlineStr') return textCell(textOf(content));
  const value = unescape(/<(?:\w+:)?v\b[^<>]*>([^<]*)<\/(?:\w+:)?v>/.exec(content)?.[1] ?? '');
  switch (type) {
    case 's':
      return textCell(shared[Number(value)] ?? '');
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', kind: 'flag' };
    case 'n': {
      const number = Number(value);
      if (value === '' || !Number.isFinite(number)) return textCell(value);
      const style = Number(/\bs=["'](\d+)["']/.exec(attributes)?.[1] ?? -1);
      if (dates.has(style)) return { text: dateOf(number, is1904), kind: 'date' };
      return { text: isExact(value) ? value : String(number), kind: 'number' };
    }
    default:
      return textCell(stringOf(value));
  }
}

function textCell(text: string): Cell {
  return { text, kind: 'text' };
}

/** Digits that a double keeps. */
const DIGITS_KEPT = 15;

/**
 * Whether a number is in the file as it was entered: a customer number of 20 digits must not be rounded. Excel writes
 * fractions with all digits of the double, 4.9 as 4.9000000000000004.
 */
function isExact(value: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(value) && (!value.includes('.') || value.length <= DIGITS_KEPT + 1);
}

const WRITTEN_DATE = /^(?:(\d{4})-(\d\d)-(\d\d))? ?(?:(\d\d):(\d\d):(\d\d))?$/;

/** The day count, from 1900, of a date in the form above; null for anything else. Pure. */
export function daysOf(text: string): number | null {
  const [all, year = '1899', month = '12', day = '30', hours = '0', minutes = '0', seconds = '0'] =
    WRITTEN_DATE.exec(text) ?? [];
  if (all === undefined || all === '') return null;
  const atMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
  const days = (atMs - EPOCH_1900) / DAY_MS;
  // Not the 31st of February, nor a year before Excel's first.
  return dateOf(days, false) === text ? days : null;
}

/** A day count → `2026-11-21`, with the time if it has one; a time alone → `10:30:00`. */
function dateOf(days: number, is1904: boolean): string {
  // To the second: the fraction of a day is not exact.
  const ms = Math.round((days * DAY_MS) / 1_000) * 1_000;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + ms);
  if (Number.isNaN(date.getTime())) return String(days);
  const iso = date.toISOString();
  if (days < 1) return iso.slice(11, 19);
  return ms % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
