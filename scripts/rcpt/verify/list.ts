import { createHash } from 'node:crypto';
import { Failure } from '../failure/failure.ts';
import type { Scan } from '../../../schema/list-job/scan.ts';
import { scanTable } from '../../../schema/list-job/scan-table.ts';
import { replacedIn } from '../../../schema/lists/columns/result-columns.ts';
import { isUnwanted } from '../../../schema/list-job/keep.ts';
import { topRows } from '../../../schema/list-job/top-rows.ts';
import { addressesInRow } from '../../../schema/lists/columns/address.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { chooseColumn } from '../table/column.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { WANTED } from './request.ts';

/** The addresses of a table. */
export type List = {
  /** Of all columns, by number from 0. */
  readonly column: number;
  readonly scan: Scan;
  /** Rows whose address another list has. */
  readonly unwanted: number;
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
  { check, only, notIn, ...wanted }: Choice,
  stop: AbortSignal,
): Promise<List> {
  const column = chooseColumn(table, await topRows(table), wanted.column);
  if (!table.hasHeader) table.names[column] = 'email';
  const statusAt = only === null ? -1 : placeOfStatus(table);
  const unseen = new Set([...(only ?? [])].filter((status) => !WANTED.includes(status)));
  let unwanted = 0;
  const scan = await scanTable(table, column, (row) => {
    stop.throwIfAborted();
    check(row);
    unseen.delete(row.cells[statusAt] ?? '');
    if (isUnwanted(addressesInRow(row.cells, column, table.width), notIn)) {
      unwanted += 1;
      return false;
    }
    return only === null || isWanted(only, row.cells[statusAt] ?? '');
  });
  for (const status of unseen)
    throw new Failure('usage', `--only ${status}: no row has this status. Known are ${WANTED.join(', ')}.`);
  return { column, scan, unwanted, fingerprint: fingerprintOf(scan) };
}

/** By what the journal numbers: the addresses that are asked. */
function fingerprintOf({ addresses }: Scan): string {
  const hash = createHash('sha256');
  for (const address of addresses) hash.update(`${JSON.stringify(address)}\n`);
  return hash.digest('hex');
}

function placeOfStatus({ names }: Table): number {
  const [place] = replacedIn(names)?.places ?? [];
  if (place !== undefined) return place;
  throw new Failure('usage', '--only needs an earlier output, with its column rcpt_status.');
}

/** A status of a newer service is none of those that can be wanted. */
function isWanted(only: ReadonlySet<string>, cell: string): boolean {
  return only.has(cell.trim() === '' ? 'none' : cell);
}
