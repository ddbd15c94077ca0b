import { createHash } from 'node:crypto';
import { Failure } from '../failure/failure.ts';
import { addressInRow } from '../../../schema/lists/columns/address.ts';
import { replacedIn } from '../../../schema/lists/columns/result-columns.ts';
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
  /** Tells this list from another. */
  readonly fingerprint: string;
};

/** Rows that are looked at to find the column. */
const SAMPLE = 1_000;

/**
 * Reads the addresses of a table, and keeps nothing else of it.
 * @param only rows of an earlier output; null: all
 * @throws Failure; the signal's reason
 */
export async function readList(
  table: Table,
  wantedColumn: string | null,
  only: ReadonlySet<Wanted> | null,
  stop: AbortSignal,
): Promise<List> {
  // Rows that are wider than the heading add columns while they are read.
  const width = table.names.length;
  const column = chooseColumn(table.names, await sampleOf(table), wantedColumn);
  if (!table.hasHeader) table.names[column] = 'email';
  const statusAt = only === null ? -1 : placeOfStatus(table);
  const emailOf = (row: Row): string | null => {
    const email = addressInRow(row.cells, column, width);
    if (email === '') return null;
    return only === null || isWanted(only, row.cells[statusAt] ?? '') ? email : null;
  };
  const emails: string[] = [];
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of table.rows()) {
    stop.throwIfAborted();
    rows += 1;
    const email = emailOf(row);
    if (email === null) continue;
    emails.push(email);
    // As the cell stands in the list.
    hash.update(`${JSON.stringify(row.cells[column] ?? '')}\n`);
  }
  return { column, rows, emails, emailOf, fingerprint: hash.digest('hex') };
}

async function sampleOf(table: Table): Promise<ReadonlyArray<readonly string[]>> {
  const sample: (readonly string[])[] = [];
  for await (const { cells } of table.rows()) if (sample.push(cells) === SAMPLE) break;
  return sample;
}

function placeOfStatus({ names }: Table): number {
  const [place] = replacedIn(names)?.places ?? [];
  if (place !== undefined) return place;
  throw new Failure(
    'usage',
    '--only needs an earlier output, with its columns rcpt_status, rcpt_score, rcpt_result and rcpt_reason.',
  );
}

/** A status of a newer service is none of those that can be wanted. */
function isWanted(only: ReadonlySet<string>, cell: string): boolean {
  return only.has(cell.trim() === '' ? 'none' : cell);
}
