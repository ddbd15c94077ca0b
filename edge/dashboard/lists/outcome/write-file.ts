import { appendedTo, type RowAnswer } from '../../../../schema/lists/columns/result-columns.ts';
import type { Style } from '../../../../schema/lists/reading/list.ts';
import type { Row } from '../../../../schema/lists/reading/row.ts';
import { listWriter } from '../../../../schema/lists/writing/list-writer.ts';
import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';

/** What the reader wants to have in a file. */
export type FileWish = {
  readonly format: 'csv' | 'tsv' | 'xlsx';
  /** Null stands for rows without an answer, which have no status. */
  readonly isWanted: (status: Open<Status> | null) => boolean;
};

/** `customers.xlsx` → `customers-verified.csv`. @param which rows it has */
export function fileName(name: string, which: string, format: FileWish['format']): string {
  return `${name.replace(/\.[^.]*$/, '')}-${which}.${format}`;
}

/** What rows have besides themselves. */
type Around = {
  /** Of their columns. */
  readonly names: readonly string[];
  /** Of the file that they came from, and what stands above its header. */
  readonly style: Style;
  readonly above: readonly Row[];
};

/**
 * The wanted rows as a file: their columns, followed by ours.
 * @throws UnreadableList for a row that the format cannot hold
 */
export async function writeFile(
  { format, isWanted }: FileWish,
  { names, style, above }: Around,
  rows: AsyncIterable<readonly [row: Row, answer: RowAnswer | null]>,
): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  const writer = await listWriter(
    {
      format,
      // As Excel opens it.
      style: { ...style, newline: '\r\n', hasMark: true },
      layout: appendedTo(names),
      above,
    },
    async (piece) => void parts.push(piece),
  );
  for await (const [row, answer] of rows)
    if (isWanted(answer === null || typeof answer === 'string' ? null : answer.result.status))
      await writer.row(row, answer);
  await writer.end();
  return new Blob(parts, { type: TYPES[format] });
}

const TYPES = {
  csv: 'text/csv;charset=utf-8',
  tsv: 'text/tab-separated-values;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
