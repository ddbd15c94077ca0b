import type { Scan } from '../../../schema/list-job/scan.ts';
import { formulaNote, scanTable } from '../../../schema/list-job/scan-table.ts';
import { fingerprintOf } from '../../../schema/list-job/fingerprint.ts';
import { isUnwanted } from '../../../schema/list-job/keep.ts';
import { topRows } from '../../../schema/list-job/top-rows.ts';
import { addressesInRow } from '../../../schema/lists/columns/address.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { chooseColumn } from '../table/column.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { Only } from './only.ts';

/** The addresses of a table. */
export type List = {
  /** Of all columns, by number from 0. */
  readonly column: number;
  readonly scan: Scan;
  /** Rows whose address another list has. */
  readonly unwanted: number;
  /** What the user should know of its rows. */
  readonly notes: readonly string[];
  /** Tells this list from another. */
  readonly fingerprint: string;
};

/** What is wanted of a table. */
export type Choice = {
  /** Name or number of the column; null: found out. */
  readonly column: string | null;
  /** Rows of an earlier output; null: all. */
  readonly only: ReadonlySet<string> | null;
  /** Addresses that are not asked. */
  readonly notIn: ReadonlySet<string>;
  /** Whether the output can hold a row. @throws UnreadableList */
  readonly check: (row: Row) => void;
};

/**
 * Reads the addresses of a table, and keeps nothing else of it in memory.
 * @throws Failure, UnreadableList; the signal's reason
 */
export async function readList(
  table: Table,
  { check, only, notIn, ...choice }: Choice,
  stop: AbortSignal,
): Promise<List> {
  const column = chooseColumn(table, await topRows(table), choice.column);
  if (!table.hasHeader) table.names[column] = 'email';
  const wanted = only === null ? null : new Only(only, table.names);
  let unwanted = 0;
  const scan = await scanTable(table, column, (row) => {
    stop.throwIfAborted();
    check(row);
    if (isUnwanted(addressesInRow(row.cells, column, table.width), notIn)) {
      unwanted += 1;
      return false;
    }
    return wanted === null || wanted.isWanted(row.cells);
  });
  wanted?.checkWords();
  const notes = [formulaNote(scan), wanted?.note ?? null].filter((note) => note !== null);
  return { column, scan, unwanted, notes, fingerprint: await fingerprintOf(scan.addresses) };
}
