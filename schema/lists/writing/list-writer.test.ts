import { expect, test } from 'vitest';
import { appendedTo } from '../columns/result-columns.ts';
import { listWriter } from './list-writer.ts';

const STYLE = { delimiter: ',', newline: '\n', hasMark: false } as const;
const row = (cell: string) => ({ line: 1, cells: [cell], raw: null, kinds: null });

test('rows are written in pieces of 64 KiB, and at a flush or the end', async () => {
  const pieces: string[] = [];
  const layout = appendedTo(['email'], ['status']);
  const writer = await listWriter({ format: 'csv', style: STYLE, layout, escapesTheirs: false }, async (piece) => {
    if (typeof piece === 'string') pieces.push(piece);
  });
  await writer.flush();
  expect(pieces).toEqual(['email,rcpt_status\n']);
  // With the empty cell and the line end, 8 KiB each.
  for (let n = 0; n < 20; n += 1) await writer.row(row('x'.repeat(8_190)), null);
  await writer.end();
  expect(pieces.slice(1).map((piece) => piece.length)).toEqual([65_536, 65_536, 32_768]);
});
