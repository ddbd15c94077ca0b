import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { notAnAddress, type OpenResult } from '../../words/result.ts';
import { appendedTo, type RowResult, replacedIn, RESULT_COLUMNS } from '../columns/result-columns.ts';
import { openList } from '../reading/list.ts';
import { tableOf } from '../reading/table.ts';
import { sourceOf } from '../testing/source.ts';
import type { Style } from '../reading/list.ts';
import { type TextFormat, rowWriter } from './row-writer.ts';

const STYLE: Style = { delimiter: ',', newline: '\n', hasMark: false };
const RESULT: OpenResult = {
  ...notAnAddress('a@x.test'),
  result: 'deliverable',
  status: 'valid',
  score: 95,
  reason: null,
  syntax: true,
  mx_found: true,
  smtp_check: true,
  smtp_code: 250,
  mx_records: ['mx1.test', 'mx2.test'],
};
const ANSWER: RowResult = { result: RESULT, asked: 2 };
const row = (cells: readonly string[], raw: string | null = null) => ({ line: 1, cells, raw, kinds: null });

function writer(format: TextFormat, names: readonly string[], style: Partial<Style> = {}) {
  return rowWriter({ format, style: { ...STYLE, ...style }, layout: appendedTo(names), above: [] });
}

test('what stands above the header stays there', () => {
  const above = [row(['Customers', '']), row(['of 2026', '=1'])];
  const form = { style: STYLE, layout: appendedTo(['id', 'email'], ['score']), above };
  const heads = (['csv', 'jsonl'] as const).map((format) => rowWriter({ ...form, format }).head);
  expect(heads).toEqual(['Customers,\nof 2026,=1\nid,email,rcpt_score\n', '']);
});

describe('in CSV', () => {
  test('our columns follow theirs, empty if nothing is known', () => {
    const { head, line } = writer('csv', ['id', 'email', 'note']);
    expect(head).toBe(`id,email,note,${RESULT_COLUMNS.map((column) => `rcpt_${column}`).join(',')}\n`);
    expect(line(row(['1', 'A@x.test']), ANSWER)).toBe(
      '1,A@x.test,,valid,95,deliverable,,The mailbox exists,,,false,250,,true,true,true,false,false,false,mx1.test mx2.test,a@x.test,2\n',
    );
    expect(line(row(['1', 'A@x.test', 'n']), null)).toBe(`1,A@x.test,n${','.repeat(RESULT_COLUMNS.length)}\n`);
  });

  test('delimiter, line ends and byte order mark are those of the list', () => {
    const { head, line } = writer('csv', ['a;b'], { delimiter: ';', newline: '\r\n', hasMark: true });
    expect(head).toMatch(/^\ufeff"a;b";rcpt_status;.*\r\n$/);
    expect(line(row(['1,5']), null)).toBe(`1,5${';'.repeat(RESULT_COLUMNS.length)}\r\n`);
  });

  test('formulas are guarded in our cells, and theirs stay as they are', () => {
    const said = { result: { ...RESULT, did_you_mean: '=cmd()@x.test', mx_records: ['@mx'] }, asked: 1 };
    const cells = ['=1+1', '-5', '+49 30', '@x', 'fine'];
    const names = ['a', 'b', 'c', 'd', 'e'];
    expect(writer('csv', names).line(row(cells), said)).toMatch(/^=1\+1,-5,\+49 30,@x,fine,.*'=cmd\(\)@x\.test.*'@mx/);
  });

  test('cells are read back unchanged', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"', ',', ';', '\t', '\r\n', ' x ', '=1', '\ufeff'),
    );
    const cells = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 });
    const style = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n' as const, '\r\n' as const),
      hasMark: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cells, style, async (theirs, how) => {
        const format = how.delimiter === '\t' ? 'tsv' : 'csv';
        const names = ['first', 'email', 'last'];
        const { head, line } = writer(format, names, how);
        const text = head + theirs.map((each) => line(row(each), ANSWER)).join('');
        const reading = { format, encoding: null, delimiter: how.delimiter, sheet: null } as const;
        const list = await openList(sourceOf(text), { ...reading, rowsMax: Infinity });
        const table = await tableOf(list, true);
        const read = [];
        for await (const batch of table.rows()) read.push(...batch.map((each) => each.cells.slice(0, 3)));
        expect(read).toEqual(theirs);
        expect(table.names.slice(0, 4)).toEqual([...names, 'rcpt_status']);
      }),
    );
  });
});

describe('in JSONL', () => {
  test('a line of JSON keeps its text, down to digits and spaces', () => {
    const { head, line } = writer('jsonl', ['email', 'n']);
    expect(head).toBe('');
    const raw = '{ "n": 12345678901234567890, "x": {"a": "}"}, "email":"a@x.test" }  ';
    const written = line(row(['a@x.test'], raw), ANSWER);
    expect(written).toMatch(
      /^\{ "n": 12345678901234567890, "x": \{"a": "\}"\}, "email":"a@x\.test","rcpt_status":"valid","rcpt_score":95,/,
    );
    expect(JSON.parse(written)).toMatchObject({
      email: 'a@x.test',
      rcpt_mx_records: ['mx1.test', 'mx2.test'],
      rcpt_asked: 2,
    });
    expect(JSON.parse(line(row([], ' { } '), ANSWER))).toMatchObject({ rcpt_status: 'valid' });
    expect(line(row([], raw), null)).toBe(`${raw}\n`);
  });

  test('rows become objects without losing a column', () => {
    const { line } = writer('jsonl', ['email', '', 'x', 'x', '__proto__']);
    expect(JSON.parse(line(row(['a@x.test', '1', '2', '3', '4']), null))).toEqual(
      JSON.parse('{"email":"a@x.test","column_2":"1","x":"2","x_2":"3","__proto__":"4"}'),
    );
  });
});

test('an earlier verdict stays until there is a new one', () => {
  const names = ['email', ...appendedTo([]).names];
  const { line } = rowWriter({
    format: 'csv',
    style: STYLE,
    layout: replacedIn(names) ?? appendedTo(names),
    above: [],
  });
  expect(line(row(['a@x.test', 'unknown', '30']), 'not_asked_yet')).toMatch(/^a@x\.test,unknown,30,,,/);
  expect(line(row(['a@x.test', '']), 'not_asked_yet')).toMatch(/^a@x\.test,,,,not_asked_yet,Not asked yet,/);
});

test.each(['csv', 'jsonl'] as const)('results of an earlier output are replaced in %s', (format) => {
  const names = ['email', ...appendedTo([]).names, 'added'];
  const { line } = rowWriter({
    format,
    style: STYLE,
    layout: replacedIn(names) ?? appendedTo(names),
    above: [],
  });
  const cells = ['a@x.test', 'unknown', '30', ...RESULT_COLUMNS.slice(2).map(() => 'old'), 'mine'];
  const raw =
    format === 'csv' ? null : JSON.stringify(Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  const written = line(row(cells, raw), ANSWER);
  expect(written).toMatch(/a@x\.test.*valid.*95.*mine/);
  expect(written).not.toContain('old');
  expect(line(row(cells, raw), null)).toMatch(/a@x\.test.*unknown.*30.*old.*mine/);
});
