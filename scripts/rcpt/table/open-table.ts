import { openList, ROWS_MAX, type Reading as ListReading } from '../../../schema/lists/reading/list.ts';
import type { Rows } from '../../../schema/lists/reading/row.ts';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { guessWords } from '../../../schema/lists/reading/text.ts';
import { tableOf, type Table } from '../../../schema/lists/reading/table.ts';
import { UnreadableList } from '../../../schema/lists/reading/unreadable.ts';
import { explain } from '../failure/explain.ts';

/** What the user says of a list; null: found out. */
export type Reading = Omit<ListReading, 'rowsMax'> & { readonly hasHeader: boolean | null };

export const FOUND: Reading = { format: null, encoding: null, delimiter: null, hasHeader: null, sheet: null };

/**
 * Finds out how a list is written.
 * @param tell what the user should know of what was found
 * @throws Failure
 */
export async function openTable(source: Source, reading: Reading, tell: (line: string) => void): Promise<Table> {
  try {
    const list = await openList(source, { ...reading, rowsMax: ROWS_MAX });
    if (list.sheet !== null && list.sheet.others.length > 0)
      tell(`${source.name}: of its sheets, ${JSON.stringify(list.sheet.name)} is read (--sheet names another)`);
    const guess = list.encoding === null ? null : guessWords(list.encoding);
    if (guess !== null) tell(`${source.name} is ${guess} (--encoding names another)`);
    const table = await tableOf(list, reading.hasHeader);
    return { ...table, rows: () => rowsOf(table, source.name) };
  } catch (error) {
    throw failureOf(error, source.name);
  }
}

/** @throws Failure */
async function* rowsOf(table: Table, name: string): Rows {
  try {
    yield* table.rows();
  } catch (error) {
    throw failureOf(error, name);
  }
}

function failureOf(error: unknown, name: string): unknown {
  return error instanceof UnreadableList ? explain(error, `${name}: `) : error;
}
