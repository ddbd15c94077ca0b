import type { CellKind } from './row.ts';
import { UnreadableList } from './unreadable.ts';
import { attribute, type Tag } from './xml.ts';

/** What cells refer to. */
export type Lookups = {
  readonly shared: readonly string[];
  /** Styles that format a number as a date or a duration, and their formats. */
  readonly dateStyles: ReadonlyMap<number, string>;
  /** Days count from 1904 rather than 1900. */
  readonly is1904: boolean;
  /** Excel is to calculate all formulas when it opens the file: a 0 stands for a result that nobody knows yet. */
  readonly isUncalculated: boolean;
};

/** Built-in number formats of dates and times (ECMA-376 part 1, 18.8.30). */
const DATE_FORMATS = new Map(
  [14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57].map(
    (format) => [format, format === 46 ? '[h]:mm:ss' : 'd'] as const,
  ),
);
/** Hours, minutes or seconds that go on beyond a day. */
const DURATION = /\[(?:h+|m+|s+)\]/i;
/** No format that somebody reads is longer. */
const FORMAT_MAX = 64;
const DAY_MS = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** The styles of a workbook that format dates, from the tags of its `styles.xml`. Pure. */
export function dateStyles(tags: readonly Tag[]): ReadonlyMap<number, string> {
  const formats = tags.flatMap(({ name, tag }) =>
    name === 'numFmt' ? [[FORMAT(tag), FORMAT_CODE(tag) ?? ''] as const] : [],
  );
  const own = new Map(formats);
  const from = tags.findIndex(({ name }) => name === 'cellXfs');
  const styles = tags.slice(from).filter(({ name }) => name === 'xf');
  const codeOf = (format: string | null): string => own.get(format) ?? DATE_FORMATS.get(Number(format)) ?? '';
  return new Map(
    styles.map(({ tag }, index) => [index, codeOf(FORMAT(tag))] as const).filter(([, code]) => isDate(code)),
  );
}

const FORMAT = attribute('numFmtId');
const FORMAT_CODE = attribute('formatCode');

/** Whether a format has a part of a date or a time, besides texts, colours and conditions. */
function isDate(format: string): boolean {
  return DURATION.test(format) || /[ymdhs]/i.test(format.replace(/"[^"]*"|\[[^[\]]*\]|\\./g, ''));
}

type Cell = { readonly text: string; readonly kind: CellKind };

/** A cell as text. Pure. @throws UnreadableList */
export function readCell(type: string, style: string | null, value: string, lookups: Lookups): Cell {
  switch (type) {
    case 's': {
      const text = value.trim() === '' ? '' : lookups.shared[Number(value)];
      if (text === undefined)
        throw new UnreadableList('damaged', 'The workbook is damaged: a text of a cell is missing.');
      return textCell(text);
    }
    case 'b':
      return { text: /^\s*(?:1|true)\s*$/i.test(value) ? 'TRUE' : 'FALSE', kind: 'flag' };
    case 'n': {
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) return textCell(value);
      const format = lookups.dateStyles.get(Number(style ?? 0));
      if (format !== undefined && DURATION.test(format)) return textCell(durationOf(number, format));
      if (format !== undefined) return { text: dateOf(number, lookups.is1904), kind: 'date' };
      return { text: isExact(value) ? value : String(number), kind: 'number' };
    }
    default:
      return textCell(stringOf(value));
  }
}

function textCell(text: string): Cell {
  return { text, kind: 'text' };
}

/** How spreadsheets escape characters that XML cannot hold: `_x000D_` is a carriage return (ECMA-376, 22.9.2.19). */
const ESCAPED = /_x([\da-f]{4})_/gi;

/** A text as the user of the spreadsheet sees it. */
export function stringOf(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPED, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
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

const DURATION_PART = /"([^"]*)"|\\(.)|\[(h+|m+|s+)\]|m+|s+|\.0+/gi;

/** 1.25 days in `[h]:mm` → `30:00`, as the user of the spreadsheet sees it. */
function durationOf(days: number, format: string): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const inAll: Readonly<Record<string, number>> = { h: seconds / 3_600, m: seconds / 60, s: seconds };
  const ofUnit = (unit: string): number => Math.floor(inAll[unit.slice(0, 1).toLowerCase()] ?? 0);
  const [shown = ''] = format.slice(0, FORMAT_MAX).split(';');
  const text = shown.replace(DURATION_PART, (part, quoted?: string, escaped?: string, total?: string) => {
    if (total !== undefined) return String(ofUnit(total));
    return quoted ?? escaped ?? (part.startsWith('.') ? '' : String(ofUnit(part) % 60).padStart(2, '0'));
  });
  return `${days < 0 ? '-' : ''}${text}`;
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
