import { createHash } from 'node:crypto';
import { Failure } from '../failure/failure.ts';
import { addressInRow, holdsSeveral } from '../../../schema/lists/columns/address.ts';
import { replacedIn, type Unasked } from '../../../schema/lists/columns/result-columns.ts';
import { SAMPLE_ROWS } from '../../../schema/lists/columns/address-column.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { chooseColumn } from '../table/column.ts';
import type { Table } from '../table/open-table.ts';
import { Addresses } from './addresses.ts';
import { WANTED } from './request.ts';

/** The addresses of a table. */
export type List = {
  /** Of all columns, by number from 0. */
  readonly column: number;
  readonly rows: number;
  /** Rows whose address is asked; in their order each has a place, from 0. */
  readonly addresses: Addresses;
  /** Rows with several addresses in their cell. */
  readonly unclear: number;
  /** Rows that `--only` leaves out. */
  readonly excluded: number;
  /** The address in a row that is to be asked; null if it has none, or is not wanted. */
  readonly emailOf: (row: Row) => string | null;
  /** What is said of a row without an address. */
  readonly noteOf: (row: Row) => Unasked | null;
  /** Tells this list from another. */
  readonly fingerprint: string;
};

/** What is wanted of a table. */
export type Choice = {
  /** Name or number of the column; null: found out. */
  readonly column: string | null;
  /** Rows of an earlier output; null: all. */
  readonly only: ReadonlySet<string> | null;
  /** Whether the output can hold a row. @throws UnreadableList */
  readonly check: (row: Row) => void;
};

/**
 * Reads the addresses of a table, and keeps nothing else of it in memory.
 * @throws Failure, UnreadableList; the signal's reason
 */
export async function readList(table: Table, { check, only, ...wanted }: Choice, stop: AbortSignal): Promise<List> {
  // Rows that are wider than the heading add columns while they are read.
  const width = table.names.length;
  const column = chooseColumn(table, await sampleOf(table), wanted.column);
  if (!table.hasHeader) table.names[column] = 'email';
  const statusAt = only === null ? -1 : placeOfStatus(table);
  const unseen = new Set([...(only ?? [])].filter((status) => !WANTED.includes(status)));
  const isExcluded = ({ cells }: Row): boolean => only !== null && !isWanted(only, cells[statusAt] ?? '');
  const cellOf = (row: Row): string => (isExcluded(row) ? '' : addressInRow(row.cells, column, width));
  const emailOf = (row: Row): string | null => {
    const cell = cellOf(row);
    return cell === '' || holdsSeveral(cell) ? null : cell;
  };
  const noteOf = (row: Row): Unasked | null => (holdsSeveral(cellOf(row)) ? 'several_addresses' : null);
  const addresses = new Addresses();
  const hash = createHash('sha256');
  const counts = { rows: 0, unclear: 0, excluded: 0 };
  for await (const row of table.rows()) {
    stop.throwIfAborted();
    check(row);
    counts.rows += 1;
    unseen.delete(row.cells[statusAt] ?? '');
    const email = emailOf(row);
    if (email !== null) {
      addresses.add(email);
      // As the cell stands in the list.
      hash.update(`${JSON.stringify(row.cells[column] ?? '')}\n`);
    } else if (isExcluded(row)) counts.excluded += 1;
    else if (noteOf(row) !== null) counts.unclear += 1;
  }
  for (const status of unseen)
    throw new Failure('usage', `--only ${status}: no row has this status. Known are ${WANTED.join(', ')}.`);
  return { column, ...counts, addresses, emailOf, noteOf, fingerprint: hash.digest('hex') };
}

async function sampleOf(table: Table): Promise<ReadonlyArray<readonly string[]>> {
  const sample: (readonly string[])[] = [];
  for await (const { cells } of table.rows()) if (sample.push(cells) >= SAMPLE_ROWS) break;
  return sample;
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
