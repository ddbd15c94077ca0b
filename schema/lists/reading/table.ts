import { holdsSeveral, looksLikeAddress } from '../columns/address.ts';
import type { List } from './list.ts';
import type { Row, Rows } from './row.ts';

// Rows → a table: whether the first row is a header.

/** A list as rows and columns. */
export type Table = Pick<List, 'format' | 'style'> & {
  /** One for each column; columns of longer rows are added while the rows are read. */
  readonly names: string[];
  /** Whether the list names its columns. */
  readonly hasHeader: boolean;
  /** Without the header. @throws UnreadableList */
  readonly rows: () => Rows;
};

/**
 * @param wanted whether the first row is a header; null: unless it contains an address
 * @throws UnreadableList
 */
export async function tableOf(list: List, wanted: boolean | null): Promise<Table> {
  const { format, style } = list;
  if (list.names !== null)
    return { format, style, names: list.names, hasHeader: format === 'jsonl', rows: () => list.rows() };
  const first = await firstOf(list);
  const hasHeader = wanted ?? (first !== null && namesColumns(first.cells));
  const names = namesOf(first?.cells ?? [], hasHeader);
  const rows = async function* (): Rows {
    let isHeader = hasHeader;
    for await (const batch of list.rows()) {
      const data = isHeader ? batch.slice(1) : batch;
      isHeader = false;
      for (const { cells } of data) if (cells.length > names.length) addNames(names, cells.length, hasHeader);
      yield data;
    }
  };
  return { format, style, names, hasHeader, rows };
}

/** @throws UnreadableList */
async function firstOf({ rows }: List): Promise<Row | null> {
  for await (const [first = null] of rows()) return first;
  return null;
}

/** Whether a first row is a header: it contains no address. */
export function namesColumns(first: readonly string[]): boolean {
  return !first.some((cell) => looksLikeAddress(cell) || holdsSeveral(cell));
}

/** The names of the columns, by the first row. */
export function namesOf(first: readonly string[], hasHeader: boolean): string[] {
  const names = hasHeader ? [...first] : [];
  addNames(names, first.length, hasHeader);
  return names;
}

/** Columns beyond the header have no name; without a header, columns have numbers. */
function addNames(names: string[], width: number, hasHeader: boolean): void {
  while (names.length < width) names.push(hasHeader ? '' : `column_${names.length + 1}`);
}
