import { columnLetters } from '../lists/columns/column-letters.ts';
import type { Row } from '../lists/reading/row.ts';
import type { Table } from '../lists/reading/table.ts';
import { UnreadableList } from '../lists/reading/unreadable.ts';
import { Scan } from './scan.ts';

/**
 * Goes once over the rows of a table.
 * @param isWanted whether a row is to be verified
 * @throws UnreadableList; what `isWanted` throws
 */
export async function scanTable(
  table: Pick<Table, 'rows' | 'width'>,
  column: number,
  isWanted: (row: Row) => boolean = () => true,
): Promise<Scan> {
  const scan = new Scan(column, table.width);
  for await (const batch of table.rows())
    for (const row of batch) {
      if (row.kinds?.[column] === 'formula') throw notCalculated(column, row.line);
      scan.add(isWanted(row) ? row.cells : null);
    }
  return scan;
}

/** Elsewhere in the table such a cell is empty, and does no harm. */
function notCalculated(column: number, line: number): UnreadableList {
  const words = `The formula in cell ${columnLetters(column)}${line} was never calculated.`;
  return new UnreadableList('damaged', `${words} Open the file in Excel, save it, and try again.`);
}
