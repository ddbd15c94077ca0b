import { refuseInexact } from '../../../../schema/lists/reading/json-lines.ts';
import { type List, openList } from '../../../../schema/lists/reading/list.ts';
import type { Row } from '../../../../schema/lists/reading/row.ts';
import type { Source } from '../../../../schema/lists/reading/source.ts';
import { UnreadableList } from '../../../../schema/lists/reading/unreadable.ts';
import { breather } from './breather.ts';

/** A file as rows of cells. */
export type Table = Pick<List, 'style'> & {
  /** Something that the reader should know about how the file was read; null if nothing. */
  readonly remark: string | null;
  /** Batches of rows, with that which names the columns; between two of them the page can do something else. */
  readonly rows: () => AsyncGenerator<readonly (readonly string[])[], undefined>;
};

/** A million, and a heading. */
const ROWS_MAX = 1_000_001;
const FOUND = { format: null, encoding: null, delimiter: null, sheet: null, guessesEncoding: true } as const;

/**
 * Opens a file of the reader's machine as the table it is.
 * @param name says what the content does not
 * @throws UnreadableList
 */
export async function openFile(file: Blob, name: string): Promise<Table> {
  if (file.size === 0) throw new UnreadableList('not a list', 'The file is empty.');
  const list = await openList(sourceOf(file, name), { ...FOUND, rowsMax: ROWS_MAX });
  // Lines of JSON name their columns each: all of them are known at the end.
  if (list.names !== null) for await (const rows of list.rows()) for (const row of rows) refuseInexact(row);
  return { style: list.style, remark: remarkOf(list), rows: () => rowsOf(list) };
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

async function* rowsOf({ names, rows }: List): AsyncGenerator<readonly (readonly string[])[], undefined> {
  const breathe = breather();
  if (names !== null) yield [names];
  for await (const batch of rows()) {
    const filled = batch.filter(hasText).map(({ cells }) => cells);
    if (filled.length > 0) yield filled;
    await breathe();
  }
}

/** Blank lines are no rows of a list. */
function hasText({ cells }: Row): boolean {
  return cells.length > 1 || (cells[0] ?? '').trim() !== '';
}

function remarkOf({ encoding, sheet }: List): string | null {
  if (encoding?.isGuess === true) return 'The file is not in UTF-8, so it was read as Windows-1252.';
  if (sheet === null || sheet.others.length === 0) return null;
  return `The workbook has ${sheet.others.length + 1} sheets. The first, “${sheet.name}”, is read.`;
}
