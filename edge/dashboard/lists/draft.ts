import { signal } from '@preact/signals';
import { SAMPLE_ROWS } from '../../../schema/lists/columns/address-column.ts';
import { type Trouble, troubleOf } from '../session/api.ts';
import { refreshBalance } from '../session/balance.ts';
import { type ColumnChoice, findColumn } from './content/columns.ts';
import { openFile, type Table } from './reading/open-file.ts';
import { Survey, type Totals } from './content/survey.ts';

/** A file that was chosen and not begun. */
export type Draft = {
  readonly file: File;
  readonly table: Table;
  /** From the top of the file. */
  readonly sample: readonly (readonly string[])[];
  readonly choice: ColumnChoice;
  /** Several columns hold addresses and nothing says which is meant: these, to choose among. Nothing is counted before. */
  readonly rivals: readonly number[];
  /** Null until the whole file was read. */
  readonly totals: Totals | null;
};

export const draft = signal<Draft | null>(null);
export const isOpening = signal(false);
export const trouble = signal<Trouble | null>(null);
let latest = 0;

/**
 * Reads a file, finds its column of addresses and counts what it holds.
 * @param sheet of a workbook; null: its first
 */
export async function open(file: File, sheet: string | null = null): Promise<void> {
  latest += 1;
  const mine = latest;
  draft.value = null;
  trouble.value = null;
  isOpening.value = true;
  // Shown beside the price.
  void refreshBalance();
  try {
    const table = await openFile(file, file.name, sheet);
    const sample = await sampleOf(table);
    if (mine !== latest) return;
    if (sample.length === 0) throw new Error('The file has no rows.');
    const { choice, rivals } = findColumn(sample);
    const onSheet = table.sheet === null ? choice : { ...choice, sheet: table.sheet.name };
    draft.value = { file, table, sample, choice: onSheet, rivals, totals: null };
    if (rivals.length === 0) await survey(draft.value);
  } catch (error) {
    if (mine === latest) trouble.value = troubleOf(error);
  } finally {
    if (mine === latest) isOpening.value = false;
  }
}

/** Takes another column, or the first row for what it is. @param rivals the columns that are still to choose among */
export async function choose(choice: ColumnChoice, rivals: readonly number[] = []): Promise<void> {
  if (draft.value === null) return;
  draft.value = { ...draft.value, choice, rivals, totals: null };
  try {
    if (rivals.length === 0) await survey(draft.value);
  } catch (error) {
    trouble.value = troubleOf(error);
  }
}

export function discard(): void {
  latest += 1;
  draft.value = null;
  trouble.value = null;
  isOpening.value = false;
}

async function sampleOf(table: Table): Promise<Draft['sample']> {
  const sample: (readonly string[])[] = [];
  for await (const rows of table.rows()) if (sample.push(...rows) >= SAMPLE_ROWS) break;
  return sample;
}

async function survey(mine: Draft): Promise<void> {
  const counted = new Survey(mine.choice);
  for await (const rows of mine.table.rows()) {
    counted.add(rows);
    if (draft.value !== mine) return;
  }
  draft.value = { ...mine, totals: counted.totals };
}
