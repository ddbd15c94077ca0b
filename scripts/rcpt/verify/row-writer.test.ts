import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resultOf } from '../../../schema/client/testing/scripted-service.ts';
import { openTable } from '../table/open-table.ts';
import { streamSource } from '../table/source.ts';
import type { Style } from '../../../schema/lists/reading/list.ts';
import { type Answer, FIELDS, namesOfOurs, placesOfOurs } from './result-columns.ts';
import { type OutputFormat, rowWriter } from './row-writer.ts';

const STYLE: Style = { delimiter: ',', newline: '\n', hasMark: false };
const ANSWER: Answer = { result: resultOf('a@x.test', { mx_records: ['mx1.test', 'mx2.test'] }), asked: 2 };
const row = (cells: readonly string[], raw: string | null = null) => ({ line: 1, cells, raw });

function writer(format: OutputFormat, names: readonly string[], style: Partial<Style> = {}, escapesTheirs = false) {
  const ours = { kind: 'appended', names: namesOfOurs(names) } as const;
  return rowWriter({ format, names, style: { ...STYLE, ...style }, ours, escapesTheirs });
}

test('every field of a result has a column', () => {
  expect(FIELDS.toSorted()).toEqual([...Object.keys(resultOf('a@x.test')), 'asked'].toSorted());
});

describe('in CSV', () => {
  test('our columns stand behind theirs, empty if nothing is known', () => {
    const { head, line } = writer('csv', ['id', 'email', 'note']);
    expect(head).toBe(`id,email,note,${FIELDS.map((field) => `rcpt_${field}`).join(',')}\n`);
    expect(line(row(['1', 'A@x.test']), ANSWER)).toBe(
      '1,A@x.test,,valid,95,deliverable,,,,false,false,false,false,true,true,true,250,,mx1.test mx2.test,a@x.test,2\n',
    );
    expect(line(row(['1', 'A@x.test', 'n']), null)).toBe(`1,A@x.test,n${','.repeat(FIELDS.length)}\n`);
  });

  test('delimiter, line ends and byte order mark are those of the list', () => {
    const { head, line } = writer('csv', ['a;b'], { delimiter: ';', newline: '\r\n', hasMark: true });
    expect(head).toMatch(/^\ufeff"a;b";rcpt_status;.*\r\n$/);
    expect(line(row(['1,5']), null)).toBe(`1,5${';'.repeat(FIELDS.length)}\r\n`);
  });

  test('what a spreadsheet would run is harmless in our cells, and in theirs only if that is wanted', () => {
    const said = { result: resultOf('a@x.test', { did_you_mean: '=cmd()@x.test', mx_records: ['@mx'] }), asked: 1 };
    const cells = ['=1+1', '-5', '+49 30', '@x', 'fine'];
    const names = ['a', 'b', 'c', 'd', 'e'];
    expect(writer('csv', names).line(row(cells), said)).toMatch(/^=1\+1,-5,\+49 30,@x,fine,.*'=cmd\(\)@x\.test.*'@mx/);
    expect(writer('csv', names, {}, true).line(row(cells), said)).toMatch(/^'=1\+1,-5,'\+49 30,'@x,fine,/);
  });

  test('any cells are read back as they were', async () => {
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
        const bytes = (async function* () {
          yield Buffer.from(text);
        })();
        const reading = { format, encoding: null, delimiter: how.delimiter, hasHeader: true, sheet: null } as const;
        const table = await openTable(await streamSource('x', bytes), reading, () => {});
        const read = [];
        for await (const each of table.rows()) read.push(each.cells.slice(0, 3));
        expect(read).toEqual(theirs);
        expect(table.names.slice(0, 4)).toEqual([...names, 'rcpt_status']);
      }),
    );
  });
});

describe('in JSONL', () => {
  test('what stood in a line of JSON stays, down to digits and spaces', () => {
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

  test('rows of cells become objects in which no column is lost', () => {
    const { line } = writer('jsonl', ['email', '', 'x', 'x', '__proto__']);
    expect(JSON.parse(line(row(['a@x.test', '1', '2', '3', '4']), null))).toEqual(
      JSON.parse('{"email":"a@x.test","column_2":"1","x":"2","x_2":"3","__proto__":"4"}'),
    );
  });
});

test('JSONL as CSV is refused where a number would lose digits', () => {
  const { line } = writer('csv', ['email', 'n']);
  expect(line(row(['a@x.test', '[1,2]'], '{"email":"a@x.test","n":[1,2]}'), null)).toMatch(/^a@x\.test,"\[1,2\]",/);
  expect(() =>
    line(row(['a@x.test', '12345678901234567000'], '{"email":"a@x.test","n":12345678901234567890}'), null),
  ).toThrow('Line 1 has a number with more digits than can be kept: choose an output in JSONL.');
});

describe('a list that this command wrote', () => {
  test('gets columns of another name if it is verified anew', () => {
    expect(namesOfOurs(['email', 'rcpt_reason'])[0]).toBe('rcpt_2_status');
    expect(namesOfOurs(['rcpt_status', 'rcpt_2_asked'])[0]).toBe('rcpt_3_status');
  });

  test.each(['csv', 'jsonl'] as const)('has its columns replaced in %s if only some rows are asked', (format) => {
    const names = ['email', ...namesOfOurs([]), 'added'];
    const places = placesOfOurs(names) ?? [];
    const { line } = rowWriter({
      format,
      names,
      style: STYLE,
      ours: { kind: 'replaced', places },
      escapesTheirs: false,
    });
    const cells = ['a@x.test', 'unknown', '30', ...FIELDS.slice(2).map(() => 'old'), 'mine'];
    const raw =
      format === 'csv' ? null : JSON.stringify(Object.fromEntries(names.map((name, index) => [name, cells[index]])));
    const written = line(row(cells, raw), ANSWER);
    expect(written).toMatch(/a@x\.test.*valid.*95.*mine/);
    expect(written).not.toContain('old');
    const kept = line(row(cells, raw), null);
    expect(kept).toMatch(/a@x\.test.*unknown.*30.*old.*mine/);
    expect(placesOfOurs(names.filter((name) => name !== 'rcpt_score'))).toBe(null);
  });
});
