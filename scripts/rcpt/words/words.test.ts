import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from '../../base/shell-word.ts';
import { count, duration, harmlessLine, several } from './words.ts';

test.each([
  [0.2, '1 s'],
  [59.1, '1 min 0 s'],
  [3_599, '59 min 59 s'],
  [3_601, '1 h 0 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test('numbers have commas, and one is not several', () => {
  expect([count(1_234_567.4), several(1, 'row'), several(0, 'row'), several(2, 'address', 'addresses')]).toEqual([
    '1,234,567',
    '1 row',
    '0 rows',
    '2 addresses',
  ]);
});

test('a line has no characters that a terminal obeys', () => {
  expect(harmlessLine('a\u001B[2Jb\r\n\u009Bc ü')).toBe('a [2Jb c ü');
});

test('a shell reads a word as it was', () => {
  expect(shellWord('/tmp/out-1.csv')).toBe('/tmp/out-1.csv');
  const words = fc.sample(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((word) => !word.includes('\0')),
    50,
  );
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${[...words, '-n'].map(shellWord).join(' ')}`]).toString();
  expect(said.split('\0')).toEqual([...words, '-n', '']);
});
