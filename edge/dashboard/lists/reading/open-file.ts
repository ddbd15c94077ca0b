import { type List, openList } from '../../../../schema/lists/reading/list.ts';
import type { Rows } from '../../../../schema/lists/reading/row.ts';
import type { Source } from '../../../../schema/lists/reading/source.ts';
import { guessWords } from '../../../../schema/lists/reading/text.ts';
import { tableOf, type Table as ListTable } from '../../../../schema/lists/reading/table.ts';
import { UnreadableList } from '../../../../schema/lists/reading/unreadable.ts';
import { breather } from './breather.ts';

/** A file as rows and columns. */
export type Table = Omit<ListTable, 'rows'> & {
  /** Something that the reader should know about how the file was read; null if nothing. */
  readonly remark: string | null;
  /** Batches of rows below the header; between two of them the page can do something else. */
  readonly rows: () => Rows;
};

/** What the reader says of a file; null: found out. */
export type Reading = {
  readonly sheet: string | null;
  readonly encoding: string | null;
  readonly delimiter: string | null;
  readonly hasHeader: boolean | null;
};
export const FOUND: Reading = { sheet: null, encoding: null, delimiter: null, hasHeader: null };

export const ROWS_MAX = 1_000_000;

/** Hears how far down the file it is read now, from 0 to 1; it is read more than once. */
export type OnRead = (share: number) => void;

/**
 * Opens a file of the reader's machine as the table it is.
 * @param name says what the content does not
 * @param onRead hears of the rows, too, as they are read
 * @throws UnreadableList
 */
export async function openFile(
  file: Blob,
  name: string,
  { sheet, encoding, delimiter, hasHeader }: Reading,
  onRead: OnRead = () => {},
): Promise<Table> {
  if (file.size === 0) throw new UnreadableList('not a list', 'The file is empty.');
  const list = await openList(sourceOf(file, name, onRead), {
    format: null,
    sheet,
    encoding,
    delimiter,
    rowsMax: ROWS_MAX,
  });
  // Lines of JSON name their columns each: all of them are known at the end.
  if (list.names !== null) for await (const _ of list.rows());
  const table = await tableOf(list, hasHeader);
  return { ...table, remark: remarkOf(list), rows: () => slowly(table.rows()) };
}

/** A file of the reader's machine, read in pieces. */
export function sourceOf(file: Blob, name: string, onRead: OnRead = () => {}): Source {
  const breathe = breather();
  return {
    name,
    size: file.size,
    read: async (from, to) => {
      await breathe();
      onRead(Math.min(1, to / file.size));
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    },
  };
}

async function* slowly(rows: Rows): Rows {
  const breathe = breather();
  for await (const batch of rows) {
    yield batch;
    await breathe();
  }
}

function remarkOf({ encoding }: List): string | null {
  const guess = encoding === null ? null : guessWords(encoding);
  return guess === null ? null : `The file is ${guess}. If these look wrong, choose another encoding.`;
}
