import { SAMPLE_ROWS } from '../lists/columns/address-column.ts';
import type { Row } from '../lists/reading/row.ts';
import type { Table } from '../lists/reading/table.ts';

/** Rows from the top. @throws UnreadableList */
export async function wholeTopRows({ rows }: Pick<Table, 'rows'>): Promise<readonly Row[]> {
  const sample: Row[] = [];
  for await (const batch of rows()) if (sample.push(...batch) >= SAMPLE_ROWS) break;
  return sample;
}

/** Their cells, which show the column of addresses. @throws UnreadableList */
export async function topRows(table: Pick<Table, 'rows'>): Promise<ReadonlyArray<readonly string[]>> {
  return (await wholeTopRows(table)).map(({ cells }) => cells);
}
