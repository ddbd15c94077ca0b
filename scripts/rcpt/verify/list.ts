import { createHash } from 'node:crypto';
import { Failure } from '../failure/failure.ts';
import { addressInRow, holdsSeveral } from '../../../schema/lists/columns/address.ts';
import { replacedIn, type Unasked } from '../../../schema/lists/columns/result-columns.ts';
import { Sample } from '../../../schema/lists/columns/sample.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { chooseColumn } from '../table/column.ts';
import { Blocks, BLOCK } from '../originals/blocks.ts';
import { type Originals, OriginalsFinder } from '../originals/originals.ts';
import type { Table } from '../table/open-table.ts';
import { WANTED } from './request.ts';

/** The addresses of a table, none of which is kept: it is read again to ask them, and to write what they came to. */
export type List = {
  /** Of all columns, by number from 0. */
  readonly column: number;
  readonly rows: number;
  /** Rows whose address is asked for; in their order each has a place, from 0. */
  readonly addresses: number;
  /** Rows with several addresses in their cell. */
  readonly unclear: number;
  readonly originals: Originals;
  /** Each address at its place, and null at the place of one that stood in the list before. @throws Failure if it changed */
  readonly emails: () => AsyncGenerator<string | null, undefined>;
  /** The address in a row that is to be asked; null if it has none, or is not wanted. */
  readonly emailOf: (row: Row) => string | null;
  /** What is said of a row without an address. */
  readonly noteOf: (row: Row) => Unasked | null;
  /** To be told the addresses of another reading one by one, and its end. @throws Failure if the list has changed */
  readonly watch: () => { readonly next: (email: string) => void; readonly end: () => void };
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
 * Reads the addresses of a table, and keeps nothing else of it.
 * @throws Failure, UnreadableList; the signal's reason
 */
export async function readList(table: Table, { check, only, ...wanted }: Choice, stop: AbortSignal): Promise<List> {
  // Rows that are wider than the heading add columns while they are read.
  const width = table.names.length;
  const column = chooseColumn(table, await sampleOf(table), wanted.column);
  if (!table.hasHeader) table.names[column] = 'email';
  const statusAt = only === null ? -1 : placeOfStatus(table);
  const unseen = new Set([...(only ?? [])].filter((status) => !WANTED.includes(status)));
  const cellOf = (row: Row): string => {
    const isAsked = only === null || isWanted(only, row.cells[statusAt] ?? '');
    return isAsked ? addressInRow(row.cells, column, width) : '';
  };
  const emailOf = (row: Row): string | null => {
    const cell = cellOf(row);
    return cell === '' || holdsSeveral(cell) ? null : cell;
  };
  const noteOf = (row: Row): Unasked | null => (holdsSeveral(cellOf(row)) ? 'several_addresses' : null);
  const finder = new OriginalsFinder();
  const blocks = new Blocks();
  const hash = createHash('sha256');
  const counts = { rows: 0, addresses: 0, unclear: 0 };
  for await (const row of table.rows()) {
    stop.throwIfAborted();
    check(row);
    counts.rows += 1;
    unseen.delete(row.cells[statusAt] ?? '');
    const email = emailOf(row);
    if (email === null) {
      if (noteOf(row) !== null) counts.unclear += 1;
      continue;
    }
    counts.addresses += 1;
    finder.add(email);
    blocks.add(email);
    // As the cell stands in the list.
    hash.update(`${JSON.stringify(row.cells[column] ?? '')}\n`);
  }
  for (const status of unseen)
    throw new Failure('usage', `--only ${status}: no row has this status. Known are ${WANTED.join(', ')}.`);
  blocks.end();
  const originals = finder.finish();
  const emails = () => readAgain(table, emailOf, originals, blocks);
  const list = { column, ...counts, originals, emails, emailOf, noteOf, watch: () => watcher(blocks) };
  return { ...list, fingerprint: hash.digest('hex') };
}

async function* readAgain(
  table: Table,
  emailOf: List['emailOf'],
  { isFirst }: Originals,
  blocks: Blocks,
): AsyncGenerator<string | null, undefined> {
  const watch = watcher(blocks);
  let place = 0;
  let block: string[] = [];
  // Nothing of a block is asked before all of it is known to be what the price was told for.
  const proven = function* (): Generator<string | null, undefined> {
    for (const email of block) {
      yield isFirst(place) ? email : null;
      place += 1;
    }
    block = [];
  };
  for await (const row of table.rows()) {
    const email = emailOf(row);
    if (email === null) continue;
    watch.next(email);
    if (block.push(email) === BLOCK) yield* proven();
  }
  watch.end();
  yield* proven();
}

function watcher(blocks: Blocks): ReturnType<List['watch']> {
  const again = new Blocks();
  const compare = (isEnd: boolean): void => {
    if (!blocks.agreesWith(again, isEnd)) throw changed();
  };
  return {
    next: (email) => {
      if (again.add(email)) compare(false);
    },
    end: () => {
      again.end();
      compare(true);
    },
  };
}

function changed(): Failure {
  return new Failure('input', 'The list changed while it was being verified. Restore it and continue with --resume.');
}

async function sampleOf(table: Table): Promise<Sample['rows']> {
  const sample = new Sample();
  for await (const { cells } of table.rows()) {
    sample.add(cells);
    if (sample.isFull) break;
  }
  return sample.rows;
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
