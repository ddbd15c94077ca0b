import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from '../../base/shell-word.ts';
import { harmlessLine } from './words.ts';

test('a line has no control characters', () => {
  expect(harmlessLine('a\u001B[2Jb\r\n\u009Bc ü')).toBe('a [2Jb c ü');
});

test('a quoted word reads the same in a shell', () => {
  expect(shellWord('/tmp/out-1.csv')).toBe('/tmp/out-1.csv');
  const words = fc.sample(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((word) => !word.includes('\0')),
    50,
  );
  const said = execFileSync('sh', [
    '-c',
    `printf '%s\\0' ${[...words, '-n'].map((word) => shellWord(word, false)).join(' ')}`,
  ]).toString();
  expect(said.split('\0')).toEqual([...words, '-n', '']);
});
