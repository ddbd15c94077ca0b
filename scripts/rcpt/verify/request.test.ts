import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addConnectionOptions, addVerifyOptions, requestOf, type VerifyRequest } from './request.ts';

function read(...args: readonly string[]): VerifyRequest {
  const command = addConnectionOptions(addVerifyOptions(new Command('verify'))).exitOverride();
  command.configureOutput({ writeErr: () => {} }).parse([...args], { from: 'user' });
  return requestOf(command.args, command);
}

test.each([
  ['--only', 'valid,', 'Expected one or more of valid, risky'],
  ['--delimiter', ';;', 'Expected one character'],
  ['--delimiter', '"', 'Expected one character'],
  ['--delimiter', '\n', 'Expected one character'],
  ['--attempts', '0', 'Expected a whole number from 1 to 20'],
  ['--attempts', '21', 'Expected a whole number from 1 to 20'],
  ['--attempts', '2x', 'Expected a whole number from 1 to 20'],
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
