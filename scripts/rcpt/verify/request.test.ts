import { Command } from 'commander';
import { expect, test } from 'vitest';
import { RESULT_COLUMNS } from '../../../schema/lists/columns/result-columns.ts';
import { addConnectionOptions, addVerifyOptions, requestOf, type VerifyRequest } from './request.ts';

function read(...args: readonly string[]): VerifyRequest {
  const command = addConnectionOptions(addVerifyOptions(new Command('verify'))).exitOverride();
  command.configureOutput({ writeErr: () => {} }).parse([...args], { from: 'user' });
  return requestOf(command.args, command);
}

test('a list is read as it comes, asked once, and written to standard output with all columns', () => {
  expect(read('list.csv')).toEqual({
    input: 'list.csv',
    addresses: null,
    output: '-',
    reading: { format: null, encoding: null, delimiter: null, hasHeader: null, sheet: null },
    column: null,
    columns: RESULT_COLUMNS,
    only: null,
    rounds: 1,
    maxCredits: null,
    isDryRun: false,
    isForced: false,
    isResumed: false,
    isAgreed: false,
    isQuiet: false,
    isJson: false,
    connection: { url: null, keyFile: null },
  });
});

test('addresses as arguments give few columns', () => {
  const { input, addresses, columns } = read('a@x.test', 'b@x.test');
  expect([input, addresses, columns]).toEqual([
    '-',
    ['a@x.test', 'b@x.test'],
    ['status', 'score', 'reason', 'meaning'],
  ]);
  expect(read('team@x.csv').input).toBe('team@x.csv');
  expect(() => read('a@x.test', 'list.csv')).toThrow('One list at a time, or addresses only.');
});

test.each<[string, string, Partial<VerifyRequest>]>([
  ['--only', ' risky , none', { only: new Set(['risky', 'none']) }],
  ['--only', 'dormant', { only: new Set(['dormant']) }],
  ['--retry', '20', { rounds: 20 }],
  ['--max-credits', '0', { maxCredits: 0 }],
])('%s %j is taken', (flag, value, request) => {
  expect(read('list.csv', flag, value)).toMatchObject(request);
});

test.each([
  [';', ';'],
  [String.raw`\t`, '\t'],
])('--delimiter %j is %j', (value, delimiter) => {
  expect(read('list.csv', '--delimiter', value).reading.delimiter).toBe(delimiter);
});

test.each([
  ['--only', 'valid,', 'Expected one or more of valid, risky'],
  ['--delimiter', ';;', 'Expected one character'],
  ['--delimiter', '"', 'Expected one character'],
  ['--delimiter', '\n', 'Expected one character'],
  ['--retry', '0', 'Expected a whole number from 1 to 20'],
  ['--retry', '21', 'Expected a whole number from 1 to 20'],
  ['--retry', '2x', 'Expected a whole number from 1 to 20'],
])('%s %j is refused', (flag, value, words) => {
  expect(() => read('list.csv', flag, value)).toThrow(words);
});

test.each(['out.parquet', 'out.json', 'a.b/out.xls'])(
  'an output named %s is refused, for nothing would read it',
  (output) => {
    expect(() => read('list.csv', '-o', output)).toThrow(
      /no \.\w+ can be written, only \.csv, \.tsv, \.jsonl, \.xlsx\./,
    );
  },
);

test.each(['out.csv', 'out.TSV', 'out.jsonl', 'out.xlsx', 'out.txt', 'out', 'a.b/out'])('%s is an output', (output) => {
  expect(read('list.csv', '-o', output).output).toBe(output);
});
