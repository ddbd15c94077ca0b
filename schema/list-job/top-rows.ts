import { SAMPLE_ROWS } from '../lists/columns/address-column.ts';
import type { Table } from '../lists/reading/table.ts';

/** Rows from the top, which show the column of addresses. @throws UnreadableList */
export async function topRows({ rows }: Pick<Table, 'rows'>): Promise<ReadonlyArray<readonly string[]>> {
  const sample: (readonly string[])[] = [];
  for await (const batch of rows()) if (sample.push(...batch.map(({ cells }) => cells)) >= SAMPLE_ROWS) break;
  return sample;
}
