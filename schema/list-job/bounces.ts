import { findAddressColumn } from '../lists/columns/address-column.ts';
import { heldIn, heldInRow } from '../lists/columns/address.ts';
import { replacedIn } from '../lists/columns/result-columns.ts';
import { openList, ROWS_MAX } from '../lists/reading/list.ts';
import type { Source } from '../lists/reading/source.ts';
import { type Table, tableOf } from '../lists/reading/table.ts';
import { UnreadableList } from '../lists/reading/unreadable.ts';
import { bounceReader, isNotification } from './bounce-export.ts';
import { isAboutBounces } from './bounce-kind.ts';
import { BounceReport, type Report } from './bounce-report.ts';
import { topRows, wholeTopRows } from './top-rows.ts';

type Sample = ReadonlyArray<readonly string[]>;
export type Side = 'verified' | 'bounces';

/**
 * Says which column has the addresses.
 * @param sample rows from the top
 * @param found the column that seems to be it; null: somebody must be asked
 */
export type Choose = (side: Side, table: Table, sample: Sample, found: number | null) => number | Promise<number>;

type Pause = () => Promise<void>;
type Bounds = {
  readonly rowsMax?: number;
  /** Between two batches: a page can do something else. */
  readonly pause?: Pause;
};

/**
 * Joins an earlier output with the bounces that a mailing tool has exported. Keeps only the addresses.
 * @param verified from pages or command, with its column `rcpt_status`; or what the API answered
 * @throws UnreadableList, which names the file; what `choose` throws
 */
export async function compareBounces(
  verified: Source,
  bounces: Source,
  choose: Choose,
  { rowsMax = ROWS_MAX, pause = async () => {} }: Bounds = {},
): Promise<Report> {
  const report = new BounceReport();
  const reading = { format: null, encoding: null, delimiter: null, sheet: null, rowsMax };
  const open = async (source: Source): Promise<Table> => tableOf(await openList(source, reading), null);
  await named(verified, async () => addVerified(report, await open(verified), choose, pause));
  const says = await named(bounces, async () => addBounces(report, await open(bounces), choose, pause));
  const { all, ...counts } = report.report;
  const { addresses, bounced, unspecified } = all;
  const isList = !says && bounced.count >= FEW && unspecified.count === bounced.count && bounced.count * 2 > addresses;
  if (isList) throw unlikely(bounces, bounced.count, addresses);
  return { all, ...counts };
}

/** So few may all have bounced. */
const FEW = 3;

/** A list of bounces may have addresses alone; but not most of what was verified. */
function unlikely({ name }: Source, bounced: number, addresses: number): UnreadableList {
  const [some, all] = [bounced, addresses].map((number) => number.toLocaleString('en'));
  return new UnreadableList(
    'unclear',
    `${name}: It says nothing of bounces, and has ${some} of the ${all} verified addresses: it looks like the list itself. If all of them bounced, add a column named bounce that says so.`,
  );
}

async function named<Value>({ name }: Source, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnreadableList ? new UnreadableList(error.problem, `${name}: ${error.message}`) : error;
  }
}

async function addVerified(report: BounceReport, table: Table, choose: Choose, pause: Pause): Promise<void> {
  // Lines of JSON name their columns while they are read.
  const sample = await topRows(table);
  const { status, reason, email } = columnsOf(table.names);
  if (status === null)
    throw new UnreadableList(
      'not a list',
      'This is not a verified list: it has no column rcpt_status, which the pages and the command write.',
    );
  const column = await choose('verified', table, sample, email ?? foundIn(table, sample));
  for await (const batch of table.rows()) {
    for (const { cells } of batch) {
      const held = heldInRow(cells, column, table.width);
      const address = held.kind === 'address' ? held.email : null;
      report.addVerified(address, cells[status] ?? '', reason === null ? '' : (cells[reason] ?? ''));
    }
    await pause();
  }
}

/** @returns whether the export has a column about bounces */
async function addBounces(report: BounceReport, table: Table, choose: Choose, pause: Pause): Promise<boolean> {
  const top = await wholeTopRows(table);
  const sample = top.map(({ cells }) => cells);
  const found = foundIn(table, sample) ?? sharedIn(report, sample);
  const column = top.some(isNotification) ? null : await choose('bounces', table, sample, found);
  const read = bounceReader(table, column, sample);
  for await (const batch of table.rows()) {
    for (const row of batch) for (const bounce of read(row)) report.addBounce(bounce);
    await pause();
  }
  return table.hasHeader && isAboutBounces(table.names, sample);
}

function foundIn({ names }: Table, sample: Sample): number | null {
  const found = findAddressColumn(names, sample);
  return found.kind === 'found' ? found.column : null;
}

/** Of several columns the one that shares most addresses with the verified list: an export has the sender's, too. */
function sharedIn(report: BounceReport, sample: Sample): number | null {
  const counts: number[] = [];
  for (const cells of sample)
    for (const [column, cell] of cells.entries()) {
      const held = heldIn(cell);
      if (held.kind === 'address' && report.has(held.email)) counts[column] = (counts[column] ?? 0) + 1;
    }
  const most = Math.max(0, ...counts.filter((count) => count > 0));
  const best = counts.indexOf(most);
  return most > 0 && best === counts.lastIndexOf(most) ? best : null;
}

type Columns = Readonly<Record<'email' | 'status' | 'reason', number | null>>;

/** Ours of the last run; or the API's own. */
function columnsOf(names: readonly string[]): Columns {
  const layout = replacedIn(names);
  const isAnswer = layout === null && names.includes('result') && names.includes('score');
  const placeOf = (column: keyof Columns): number | null => {
    const place = layout === null ? names.indexOf(column) : (layout.places[layout.columns.indexOf(column)] ?? -1);
    return (layout !== null || isAnswer) && place >= 0 && place < names.length ? place : null;
  };
  return { email: placeOf('email'), status: placeOf('status'), reason: placeOf('reason') };
}
