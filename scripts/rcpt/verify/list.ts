import { createHash } from 'node:crypto';
import { Failure } from '../failure/failure.ts';
import { addressInRow, holdsSeveral } from '../../../schema/lists/columns/address.ts';
import { replacedIn, type Unasked } from '../../../schema/lists/columns/result-columns.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { chooseColumn } from '../table/column.ts';
import type { Table } from '../table/open-table.ts';
import type { Wanted } from './request.ts';

/** The addresses of a table, which is read a second time when they are known. */
export type List = {
  /** Of all columns, by name and number from 0. */
  readonly column: number;
  readonly rows: number;
  /** Rows whose address is asked for, in their order, as they stand in the table. */
  readonly emails: readonly string[];
  /** The address in a row that is to be asked; null if it has none, or is not wanted. */
  readonly emailOf: (row: Row) => string | null;
  /** What is said of a row without an address. */
  readonly noteOf: (row: Row) => Unasked | null;
  /** Rows with several addresses in their cell. */
  readonly unclear: number;
  /** Tells this list from another. */
  readonly fingerprint: string;
};

/** Rows that are looked at to find the column. */
const SAMPLE = 1_000;

/** What is wanted of a table. */
export type Choice = {
  /** Name or number of the column; null: found out. */
  readonly column: string | null;
  /** Rows of an earlier output; null: all. */
  readonly only: ReadonlySet<Wanted> | null;
  /** Whether the output can hold a row. @throws UnreadableList */
  readonly check: (row: Row) => void;
};

/**
 * Reads the addresses of a table, and keeps nothing else of it.
 * @throws Failure, UnreadableList; the signal's reason
 */
export async function readList(table: Table, { check, only, ...wanted }: Choice, stop: AbortSignal): Promise<List> {
  // Rows that are wider than the heading add columns while they are read.
  const width = table.names.length;
  const column = chooseColumn(table.names, await sampleOf(table), wanted.column);
  if (!table.hasHeader) table.names[column] = 'email';
  const statusAt = only === null ? -1 : placeOfStatus(table);
  const cellOf = (row: Row): string => {
    const isAsked = only === null || isWanted(only, row.cells[statusAt] ?? '');
    return isAsked ? addressInRow(row.cells, column, width) : '';
  };
  const emailOf = (row: Row): string | null => {
    const cell = cellOf(row);
    return cell === '' || holdsSeveral(cell) ? null : cell;
  };
  const noteOf = (row: Row): Unasked | null => (holdsSeveral(cellOf(row)) ? 'several_addresses' : null);
  const emails: string[] = [];
  const hash = createHash('sha256');
  let rows = 0;
  let unclear = 0;
  for await (const row of table.rows()) {
    stop.throwIfAborted();
    check(row);
    rows += 1;
    const email = emailOf(row);
    if (email === null) {
      if (noteOf(row) !== null) unclear += 1;
      continue;
    }
    emails.push(email);
    // As the cell stands in the list.
    hash.update(`${JSON.stringify(row.cells[column] ?? '')}\n`);
  }
  return { column, rows, emails, emailOf, noteOf, unclear, fingerprint: hash.digest('hex') };
}

async function sampleOf(table: Table): Promise<ReadonlyArray<readonly string[]>> {
  const sample: (readonly string[])[] = [];
  for await (const { cells } of table.rows()) if (sample.push(cells) === SAMPLE) break;
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
