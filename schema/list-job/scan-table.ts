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
      refuseFormula(row, column);
      if (row.kinds?.includes('formula') === true) scan.formulas += 1;
      scan.add(isWanted(row) ? row.cells : null);
    }
  return scan;
}

/** What is to be said of formulas elsewhere in the table; null: nothing. */
export function formulaNote({ formulas }: Scan): string | null {
  if (formulas === 0) return null;
  const rows = formulas === 1 ? '1 row has formulas' : `${formulas.toLocaleString('en')} rows have formulas`;
  return `${rows} that no program has calculated: these cells are empty. To keep them, open the file in Excel and save it first.`;
}

/**
 * Elsewhere in the table a formula that was never calculated is an empty cell, and does no harm.
 * @throws UnreadableList
 */
export function refuseFormula({ kinds, line }: Row, column: number): void {
  if (kinds?.[column] !== 'formula') return;
  const words = `The formula in cell ${columnLetters(column)}${line} was never calculated.`;
  throw new UnreadableList('damaged', `${words} Open the file in Excel, save it, and try again.`);
}
