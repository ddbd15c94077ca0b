import { type CellKind, COLUMNS_MAX, type Row } from './row.ts';
import { type Lookups, readCell, stringOf } from './sheet-cell.ts';
import { UnreadableList } from './unreadable.ts';
import { attribute, type Found, xmlReader } from './xml.ts';

// The XML of a sheet → rows, and that of the strings that its cells share (ECMA-376 part 1, 18.3 and 18.4).

/** Excel's own. */
export const ROWS_MAX = 1_048_576;

/** Of a row and of a cell. */
const PLACE = attribute('r');
const TYPE = attribute('t');
const STYLE = attribute('s');

/** Reads a part piece by piece; when it is over, only links and formats follow. */
export type PartReader = { readonly read: (piece: string) => void; readonly isOver: () => boolean };

/** An element that holds one text: a cell, or a string that cells share. */
type Holder = { readonly tag: string; text: string; hasFormula: boolean; hasValue: boolean };

/** Reads the holders of this name up to the end of `parent`. Neither formatting nor phonetic hints are their text. */
function holderReader(name: string, parent: string, onEnd: (holder: Holder) => void, others: Found): PartReader {
  let holder: Holder | null = null;
  let isText = false;
  let isHint = false;
  let isOver = false;
  const read = xmlReader({
    open: (each, tag) => {
      if (isOver) return;
      if (each === name) {
        holder = { tag, text: '', hasFormula: false, hasValue: false };
        isText = isHint = false;
      } else if (holder === null) others.open?.(each, tag);
      else if (each === 'rPh') isHint = true;
      else if (each === 'f') holder.hasFormula = true;
      else if (each === 't') isText = !isHint;
      else if (each === 'v') isText = holder.hasValue = true;
    },
    text: (text) => {
      if (isText && holder !== null) holder.text += text;
    },
    close: (each) => {
      if (each === 't' || each === 'v') isText = false;
      else if (each === 'rPh') isHint = false;
      else if (each === name) {
        if (holder !== null) onEnd(holder);
        holder = null;
      } else if (!isOver) others.close?.(each);
      isOver ||= each === parent;
      if (each === 'row') holder = null;
    },
  });
  return { read, isOver: () => isOver };
}

/** The strings that cells share. */
export function readStrings(push: (text: string) => void): PartReader {
  return holderReader('si', 'sst', ({ text }) => push(stringOf(text)), {});
}

/** Rows of a sheet. It throws UnreadableList. */
export function readRows(lookups: Lookups, push: (row: Row) => void): PartReader {
  let line = 0;
  let cells: string[] = [];
  let kinds: CellKind[] = [];
  const add = ({ tag, text, hasFormula, hasValue }: Holder): void => {
    const place = PLACE(tag);
    const column = columnOf(place) ?? cells.length;
    if (column >= COLUMNS_MAX) return;
    while (cells.length < column) kinds[cells.push('') - 1] = 'text';
    const type = TYPE(tag) ?? 'n';
    const isEmpty = !hasValue || (type === 'n' && (text === '' || (lookups.isUncalculated && text === '0')));
    // Some programs write formulas and leave it to Excel to calculate them.
    const isOpen = hasFormula && isEmpty;
    const cell = isOpen ? ({ text: '', kind: 'formula' } as const) : readCell(type, STYLE(tag), text, lookups);
    cells[column] = cell.text;
    kinds[column] = cell.kind;
  };
  /** Of the row that was begun last. */
  const end = (): void => {
    if (line === 0) return;
    while (cells.at(-1) === '' && kinds[cells.length - 1] !== 'formula') cells.pop();
    push({ line, cells, kinds, raw: null });
  };
  return holderReader('c', 'sheetData', add, {
    open: (name, tag) => {
      if (name !== 'row') return;
      const place = Number(PLACE(tag) ?? 0);
      // Some programs write a row for each of its cells.
      if (place === line && line > 0) return;
      end();
      // Sheets leave out most empty rows.
      line = Math.max(line + 1, place);
      if (!(line <= ROWS_MAX)) throw new UnreadableList('too large', 'The sheet has more rows than Excel can have.');
      cells = [];
      kinds = [];
    },
    close: (name) => {
      if (name === 'sheetData') end();
    },
  });
}

/** `AB12` → 27 */
function columnOf(place: string | null): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/i.exec(place ?? '')?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
