import { type List, openList } from '../../../../schema/lists/reading/list.ts';
import type { Rows } from '../../../../schema/lists/reading/row.ts';
import type { Source } from '../../../../schema/lists/reading/source.ts';
import { UnreadableList } from '../../../../schema/lists/reading/unreadable.ts';
import { breather } from './breather.ts';

/** A file as rows of cells. */
export type Table = Pick<List, 'style' | 'sheet'> & {
  /** Something that the reader should know about how the file was read; null if nothing. */
  readonly remark: string | null;
  /** Batches of rows, with that which names the columns; between two of them the page can do something else. */
  readonly rows: () => AsyncGenerator<readonly (readonly string[])[], undefined>;
  /** The same with all that the file says of each row. */
  readonly wholeRows: () => Rows;
};

/** A million, and a heading. */
const ROWS_MAX = 1_000_001;
const FOUND = { format: null, encoding: null, delimiter: null } as const;

/**
 * Opens a file of the reader's machine as the table it is.
 * @param name says what the content does not
 * @param sheet of a workbook; null: its first
 * @throws UnreadableList
 */
export async function openFile(file: Blob, name: string, sheet: string | null = null): Promise<Table> {
  if (file.size === 0) throw new UnreadableList('not a list', 'The file is empty.');
  const list = await openList(sourceOf(file, name), { ...FOUND, sheet, rowsMax: ROWS_MAX });
  // Lines of JSON name their columns each: all of them are known at the end.
  if (list.names !== null) for await (const _ of list.rows());
  const wholeRows = (): Rows => rowsOf(list);
  return { style: list.style, sheet: list.sheet, remark: remarkOf(list), rows: () => cellsOf(wholeRows()), wholeRows };
}

function sourceOf(file: Blob, name: string): Source {
  const breathe = breather();
  return {
    name,
    size: file.size,
    read: async (from, to) => {
      await breathe();
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    },
  };
}

async function* rowsOf({ names, rows }: List): Rows {
  const breathe = breather();
  if (names !== null) yield [{ line: 0, cells: names, raw: null, kinds: null }];
  for await (const batch of rows()) {
    yield batch;
    await breathe();
  }
}

async function* cellsOf(rows: Rows): AsyncGenerator<readonly (readonly string[])[], undefined> {
  for await (const batch of rows) yield batch.map(({ cells }) => cells);
}

function remarkOf({ encoding }: List): string | null {
  return encoding?.isGuess === true ? 'The file is not in UTF-8, so it was read as Windows-1252.' : null;
}
