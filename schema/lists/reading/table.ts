import { isAddressName } from '../columns/address-name.ts';
import { holdsAddresses } from '../columns/address.ts';
import type { List } from './list.ts';
import type { Row, Rows } from './row.ts';

// Rows → a table: which row is its header.

/** Rows at the top among which the header is. */
const TOP_ROWS = 50;

/** A list as rows and columns. */
export type Table = Pick<List, 'format' | 'style' | 'sheet' | 'encoding'> & {
  /** One for each column; columns of longer rows are added while the rows are read. */
  readonly names: string[];
  /** How many columns its first row has; in lines of JSON none is shifted. */
  readonly width: number;
  /** Whether the list names its columns. */
  readonly hasHeader: boolean;
  /** Titles and dates that stand above the header. */
  readonly above: readonly Row[];
  /** Those below the header. @throws UnreadableList */
  readonly rows: () => Rows;
};

/**
 * @param wanted whether the list has a header; null: unless its first row contains an address
 * @throws UnreadableList
 */
export async function tableOf(list: List, wanted: boolean | null): Promise<Table> {
  const { format, style, sheet, encoding } = list;
  const about = { format, style, sheet, encoding, above: [] };
  if (list.names !== null)
    return { ...about, names: list.names, width: Infinity, hasHeader: format === 'jsonl', rows: () => list.rows() };
  const top = await topOf(list);
  const found = wanted === false ? -1 : headerIn(top.map(({ cells }) => cells));
  const at = wanted === true ? Math.max(0, found) : found;
  const hasHeader = at >= 0;
  const names = [...(top[at]?.cells ?? [])];
  addNames(names, top[0]?.cells.length ?? 0, hasHeader);
  const rows = async function* (): Rows {
    let left = at + 1;
    for await (const batch of list.rows()) {
      const data = batch.slice(left);
      left = Math.max(0, left - batch.length);
      for (const { cells } of data) if (cells.length > names.length) addNames(names, cells.length, hasHeader);
      if (data.length > 0) yield data;
    }
  };
  return { ...about, names, width: names.length, hasHeader, above: top.slice(0, Math.max(0, at)), rows };
}

/** @throws UnreadableList */
async function topOf({ rows }: List): Promise<readonly Row[]> {
  const top: Row[] = [];
  for await (const batch of rows()) if (top.push(...batch.slice(0, TOP_ROWS - top.length)) >= TOP_ROWS) break;
  return top;
}

/** Rows with an address above the header, of who made a report or gave a talk. More are a list themselves. */
const ABOVE_MOST = 2;

/**
 * Which row is the header: the one that names a column whose addresses all stand below it. Else the first, or below titles the
 * first that is at least half as full as rows are, and then neither it nor what stands above it contains an address. -1 without
 * one. Pure.
 */
function headerIn(top: ReadonlyArray<readonly string[]>): number {
  // By column: the first row with an address.
  const first: number[] = [];
  const holding = top.map((cells, at) => {
    const columns = [...cells.keys()].filter((column) => holdsAddresses(cells[column] ?? ''));
    for (const column of columns) first[column] ??= at;
    return columns.length > 0;
  });
  const naming = top.findIndex(
    (names, at) =>
      holding[at] === false &&
      holding.slice(0, at).filter(Boolean).length <= ABOVE_MOST &&
      names.some((name, column) => (first[column] ?? -1) > at && isAddressName(name)),
  );
  if (naming !== -1) return naming;
  const data = holding.indexOf(true);
  const heads = data === -1 ? top : top.slice(0, data);
  const filled = top.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const rows = filled.slice(Math.max(1, data)).toSorted((one, other) => one - other);
  const usual = rows[rows.length >> 1] ?? 0;
  const found = heads.findIndex((_, at) => (filled[at] ?? 0) * 2 > usual);
  return found === -1 ? heads.length - 1 : found;
}

/** Columns beyond the header have no name; without a header, columns have numbers. */
function addNames(names: string[], width: number, hasHeader: boolean): void {
  while (names.length < width) names.push(hasHeader ? '' : `column_${names.length + 1}`);
}
