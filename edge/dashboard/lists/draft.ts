import { signal } from '@preact/signals';
import type { Totals } from '../../../schema/list-job/scan.ts';
import { fingerprintOf } from '../../../schema/list-job/fingerprint.ts';
import { topRows } from '../../../schema/list-job/top-rows.ts';
import { formulaNote, scanTable } from '../../../schema/list-job/scan-table.ts';
import { findAddressColumn } from '../../../schema/lists/columns/address-column.ts';
import type { Rows } from '../../../schema/lists/reading/row.ts';
import { Trouble, troubleOf } from '../session/api.ts';
import { refreshBalance } from '../session/balance.ts';
import { signedIn } from '../session/me.ts';
import type { ColumnChoice } from './content/columns.ts';
import { storedLike } from './kept/stored.ts';
import { FOUND, openFile, type Reading, type Table } from './reading/open-file.ts';

/** What a whole file holds, and a list of this browser with the same addresses: null if there is none. */
export type Counted = {
  readonly totals: Totals;
  readonly fingerprint: string;
  readonly earlier: Awaited<ReturnType<typeof storedLike>>;
};

/** A file that was chosen and not begun. */
export type Draft = {
  readonly file: File;
  readonly table: Table;
  /** From the top of the file, below its header. */
  readonly sample: readonly (readonly string[])[];
  readonly choice: ColumnChoice;
  /** Nothing says which column is meant: these are to choose among, and nothing is counted before. */
  readonly rivals: readonly number[];
  /** Null until the whole file was read. */
  readonly counted: Counted | null;
  /** What the count has shown of the file besides; null: nothing. */
  readonly note: string | null;
};

export const draft = signal<Draft | null>(null);
export const isOpening = signal(false);
/** How much of the file this pass has read, in hundredths. */
export const percent = signal(0);
export const trouble = signal<Trouble | null>(null);
let latest = 0;

/** Reads a file, finds its column of addresses and counts what it holds. */
export async function open(file: File, reading: Reading = FOUND): Promise<void> {
  latest += 1;
  const mine = latest;
  draft.value = null;
  trouble.value = null;
  percent.value = 0;
  isOpening.value = true;
  // Shown beside the price.
  void refreshBalance();
  try {
    const table = await openFile(file, file.name, reading, (share) => {
      if (mine === latest) percent.value = Math.floor(share * 100);
    });
    const sample = await topRows(table);
    if (mine !== latest) return;
    if (sample.length === 0 && !table.hasHeader) throw new Error('The file has no rows.');
    const { column, rivals } = columnOf(table, sample);
    const choice = { ...reading, column, hasHeader: table.hasHeader };
    draft.value = { file, table, sample, choice, rivals, counted: null, note: null };
    if (rivals.length === 0) await survey(draft.value);
  } catch (error) {
    if (mine === latest) trouble.value = troubleOf(error);
  } finally {
    if (mine === latest) isOpening.value = false;
  }
}

/** @returns `rivals`: to choose among, the likeliest first; none if it is sure */
function columnOf({ names }: Table, sample: Draft['sample']): { column: number; rivals: readonly number[] } {
  const found = findAddressColumn(names, sample);
  switch (found.kind) {
    case 'found':
      return { column: found.column, rivals: [] };
    case 'unclear':
      return { column: found.columns[0], rivals: found.columns };
    case 'none':
      return { column: 0, rivals: names.length > 1 && sample.length > 0 ? [...names.keys()] : [] };
  }
}

/** Takes another column. */
export async function choose(column: number): Promise<void> {
  const { value } = draft;
  if (value === null) return;
  draft.value = { ...value, choice: { ...value.choice, column }, rivals: [], counted: null };
  trouble.value = null;
  try {
    await survey(draft.value);
  } catch (error) {
    trouble.value = troubleOf(error);
  }
}

/** Says why what was given is not read. */
export function refuse(why: string): void {
  discard();
  trouble.value = new Trouble(why, 0);
}

export function discard(): void {
  latest += 1;
  draft.value = null;
  trouble.value = null;
  isOpening.value = false;
}

async function survey(mine: Draft): Promise<void> {
  const { choice, table } = mine;
  const rows = async function* (): Rows {
    for await (const batch of table.rows()) {
      if (draft.value !== mine) return;
      yield batch;
    }
  };
  const scan = await scanTable({ ...table, rows }, choice.column);
  const { totals, addresses } = scan;
  const fingerprint = await fingerprintOf(addresses);
  // A browser that keeps nothing says so when the list is to be kept.
  const earlier = await storedLike(signedIn().account.id, fingerprint).catch(() => null);
  if (draft.value === mine)
    draft.value = { ...mine, counted: { totals, fingerprint, earlier }, note: formulaNote(scan) };
}
