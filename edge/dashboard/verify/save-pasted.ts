import { newFieldsOf, type RowAnswer } from '../../../schema/lists/columns/result-columns.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { type FileWish, writeFile } from '../lists/outcome/write-file.ts';
import type { Slot } from './verification.ts';

const AS_PASTED = { names: ['email'], style: { delimiter: ',', newline: '\r\n', hasMark: true } } as const;

/** What a paste gave, as a file: one column of theirs, and ours. @throws UnreadableList */
export function savePasted(slots: readonly Slot[], wish: FileWish): Promise<Blob> {
  const newFields = new Set(slots.flatMap(({ result }) => (result === null ? [] : newFieldsOf(result))));
  return writeFile(wish, { ...AS_PASTED, newFields }, rowsOf(slots));
}

async function* rowsOf(slots: readonly Slot[]): AsyncGenerator<readonly [Row, RowAnswer], undefined> {
  for (const [index, { email, result }] of slots.entries())
    yield [
      { line: index + 1, cells: [email], raw: null, kinds: null },
      result === null ? 'not_asked_yet' : { result, asked: 1 },
    ];
}
