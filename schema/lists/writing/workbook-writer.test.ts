import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../testing/fuzz.ts';
import { notAnAddress } from '../../words/result.ts';
import { appendedTo, type Column, type RowAnswer } from '../columns/result-columns.ts';
import { openList } from '../reading/list.ts';
import type { CellKind, Row } from '../reading/row.ts';
import { sourceOf } from '../testing/source.ts';
import { listWriter, rowCheck } from './list-writer.ts';

const STYLE = { delimiter: ',', newline: '\n', hasMark: false } as const;
const READING = { format: null, encoding: null, delimiter: null, sheet: null, rowsMax: Infinity };

function rowOf(cells: readonly string[], kinds: readonly CellKind[] | null = null): Row {
  return { line: 1, cells, raw: null, kinds };
}

/** The file, written in pieces, and what it was that was handed to the sink at once. */
async function written(
  names: readonly string[],
  rows: readonly Row[],
  answer: RowAnswer | null = null,
  columns: readonly Column[] = ['status', 'score', 'catch_all', 'mx_records'],
) {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const layout = appendedTo(names, columns);
  const writer = await listWriter({ format: 'xlsx', style: STYLE, layout, above: [] }, async (piece) => {
    if (typeof piece !== 'string') pieces.push(piece);
  });
  for (const row of rows) await writer.row(row, answer);
  await writer.flush();
  await writer.end();
  return { bytes: new Uint8Array(Buffer.concat(pieces)), pieces };
}

async function readBack(bytes: Uint8Array): Promise<readonly Row[]> {
  const list = await openList(sourceOf(bytes), READING);
  const rows = [];
  for await (const batch of list.rows()) rows.push(...batch);
  return rows;
}

describe('a workbook', () => {
  test('is read back as it was written, with any cell content', async () => {
    const hard = [
      '=1+1',
      "'x",
      ' x ',
      'a\r\nb',
      '\t',
      '_x000D_',
      '_x005F_',
      '<t>&amp;',
      '\u0001',
      '\uFFFE',
      '\uD800',
      'ß😀',
    ];
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...hard));
    const cell = fc.oneof(
      text.map((value) => ({ value, kind: 'text' as const })),
      fc
        .oneof(fc.integer(), fc.double({ noDefaultInfinity: true, noNaN: true }), fc.maxSafeInteger())
        .map((value) => ({ value: JSON.stringify(value), kind: 'number' as const })),
      fc.boolean().map((value) => ({ value: value ? 'TRUE' : 'FALSE', kind: 'flag' as const })),
      fc
        .date({ min: new Date('1900-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .chain((date) => fc.constantFrom(date.toISOString().slice(0, 10), dateTime(date)))
        .map((value) => ({ value, kind: 'date' as const })),
    );
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const theirs = given.map((cells) =>
          rowOf(
            cells.map(({ value }) => value),
            cells.map(({ kind }) => kind),
          ),
        );
        const [head, ...back] = await readBack((await written(['a', 'b'], theirs)).bytes);
        expect(head?.cells).toEqual(['a', 'b', 'rcpt_status', 'rcpt_score', 'rcpt_catch_all', 'rcpt_mx_records']);
        // A blank row is no row of a list.
        const full = theirs.filter(({ cells }) => cells.some((one) => one.trim() !== ''));
        expect(back.map((row) => firstTwo(row))).toEqual(full.map((row) => firstTwo(row)));
      }),
      { numRuns: runs(50) },
    );
  });

  test('writes numbers and booleans as such, and text as text', async () => {
    const answer = { result: { ...notAnAddress('a@x.test'), mx_records: ['mx1.test', 'mx2.test'] }, asked: 1 };
    const kinds: readonly CellKind[] = ['text', 'number', 'date', 'number', 'number', 'flag'];
    const cells = ['0049', '12.50', '2026-11-22 10:30:00', '12345678901234567', 'none', 'maybe'];
    const { bytes } = await written(['a', 'b', 'c', 'd', 'e', 'f'], [rowOf(cells, kinds)], answer);
    const [, row] = await readBack(bytes);
    expect(row?.cells).toEqual([...cells, 'invalid', '0', 'FALSE', 'mx1.test mx2.test']);
    const plain = ['text', 'number', 'date', 'text', 'text', 'text'];
    expect(row?.kinds).toEqual([...plain, 'text', 'number', 'flag', 'text']);
  });

  test('has no cell longer than Excel can open', async () => {
    const note = `${'x'.repeat(32_766)}😀`;
    const answer = { result: { ...notAnAddress('a@x.test'), did_you_mean: note }, asked: 1 };
    const { bytes } = await written(['email'], [rowOf(['a@x.test'])], answer, ['did_you_mean']);
    const [, row] = await readBack(bytes);
    expect(row?.cells[1]).toBe(note.slice(0, 32_767));
  });

  test('is written in pieces as its rows come', async () => {
    const rows = Array.from({ length: 8_000 }, (_, n) => rowOf([`user${n * 7919}@a.test`, `${Math.sin(n)}`]));
    const { bytes, pieces } = await written(['email', 'n'], rows);
    expect(pieces.length).toBeGreaterThan(5);
    const back = await readBack(bytes);
    expect([back.length, back.at(-1)?.cells[0]]).toEqual([8_001, rows.at(-1)?.cells[0]]);
  });

  test('fails with the error of its sink', async () => {
    const layout = appendedTo(['email'], ['status']);
    let taken = 0;
    const writer = await listWriter({ format: 'xlsx', style: STYLE, layout, above: [] }, async (piece) => {
      taken += piece.length;
      if (taken > 300_000) throw new Error('The disk is full.');
    });
    const fill = async (): Promise<void> => {
      for (let n = 0; n < 60_000; n += 1) await writer.row(rowOf([`${Math.sin(n)}${Math.cos(n)}`]), null);
      await writer.end();
    };
    await expect(fill()).rejects.toThrow('The disk is full.');
  });

  test.each([
    ['a cell that is too long', [rowOf(['x'.repeat(32_768)])], 'Line 1 has a cell with more than 32,767 characters'],
    ['too many cells', [rowOf(Array.from({ length: 16_380 }, () => ''))], 'Line 1 has more cells'],
    ['too many rows', Array.from({ length: 1_048_576 }, () => rowOf([''])), 'at most 1,048,576 rows'],
  ])('with %s is refused before anything is paid', async (_name, rows, words) => {
    const check = await rowCheck('xlsx');
    for (const row of rows.slice(0, -1)) check(row);
    expect(() => rows.slice(-1).forEach(check)).toThrow(words);
  });
});

function dateTime(date: Date): string {
  const text = `${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)}`;
  return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text;
}

/** Cells that are empty at the end of a row are not written. */
function firstTwo({ cells }: Row): readonly string[] {
  return [0, 1].map((at) => cells[at] ?? '');
}
