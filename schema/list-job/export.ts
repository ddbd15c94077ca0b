import type { RowResult } from '../lists/columns/result-columns.ts';
import type { Table } from '../lists/reading/table.ts';
import { UnreadableList } from '../lists/reading/unreadable.ts';
import { listWriter, type OutputFormat } from '../lists/writing/list-writer.ts';
import type { RowForm } from '../lists/writing/row-writer.ts';
import type { Sink } from '../lists/writing/sink.ts';
import { isKept, type Keep } from './keep.ts';
import type { Scan } from './scan.ts';

/** A list and what is known of its addresses, to be written as a file. */
export type Export = {
  readonly table: Table;
  readonly scan: Scan;
  readonly form: RowForm<OutputFormat>;
  readonly keep: Keep;
  /**
   * @param number of an address
   * @param flush writes all rows before this one, for who has to wait
   */
  readonly resultOf: (number: number, flush: () => Promise<void>) => Promise<RowResult | null> | RowResult | null;
};

/**
 * Writes the rows that are kept, in their order, with their own cells and ours.
 * @returns how many rows it wrote
 * @throws UnreadableList if the list is not what it was, or the format cannot hold a row; what `resultOf` and the sink throw
 */
export async function exportList({ table, scan, form, keep, resultOf }: Export, sink: Sink): Promise<number> {
  const writer = await listWriter(form, sink);
  let nth = 0;
  let written = 0;
  for await (const batch of table.rows())
    for (const row of batch) {
      if (!scan.isAt(nth, row.cells)) throw changed();
      const number = scan.numberOf(nth);
      const result = number === null ? null : await resultOf(number, writer.flush);
      const answer = scan.answerOf(nth, row.cells, result);
      nth += 1;
      if (!isKept(keep, row, scan.addressesIn(row.cells), answer, form.layout)) continue;
      await writer.row(row, answer);
      written += 1;
    }
  if (nth < scan.totals.rows) throw changed();
  await writer.end();
  return written;
}

function changed(): UnreadableList {
  return new UnreadableList('changed', 'The list changed while it was being verified.');
}
