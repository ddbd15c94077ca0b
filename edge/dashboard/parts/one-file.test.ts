import { expect, test } from 'vitest';
import { type Given, oneFile } from './one-file.ts';

const file = (name: string, text = 'a@x.test') => new File([text], name);
const entry = (isDirectory: boolean) => ({ webkitGetAsEntry: () => ({ isDirectory }) });

test('one file is taken, chosen or dropped', () => {
  const csv = file('a.csv');
  expect(oneFile({ files: [csv] })).toBe(csv);
  expect(oneFile({ files: [csv], items: [entry(false)] })).toBe(csv);
  expect(oneFile({ files: [csv], items: [{ webkitGetAsEntry: () => null }] })).toBe(csv);
});

test.each<[string, Given, RegExp]>([
  ['two files', { files: [file('a.csv'), file('b.csv')] }, /^These are 2 files, such as “a\.csv” and “b\.csv”: one/],
  [
    'a file and a folder',
    { files: [file('a.csv'), file('x')], items: [entry(false), entry(true)] },
    /^These are 2 files/,
  ],
  ['a folder', { files: [file('exports')], items: [entry(true)] }, /“exports” is a folder/],
  ['an empty file', { files: [file('a.csv', '')] }, /“a\.csv” is empty/],
  ['an empty folder', { files: [file('exports', '')], items: [entry(true)] }, /is a folder/],
  ['a shortcut of Windows', { files: [file('list.csv.lnk')] }, /is a shortcut/],
  ['a shortcut of macOS', { files: [file('List.WEBLOC')] }, /is a shortcut/],
  ['words or a link of a page', { files: [], items: [{ webkitGetAsEntry: () => null }] }, /^That is not a file/],
])('%s: the reader is told, and nothing is read in its place', (_what, given, words) => {
  expect(oneFile(given)).toMatch(words);
});
