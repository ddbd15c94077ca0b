import { describe, expect, test } from 'vitest';
import { chooseColumn } from './column.ts';

describe('the column of addresses', () => {
  test.each<[string, readonly string[], readonly (readonly string[])[], string | null, number]>([
    ['is found by content and name', ['Manager email', 'E-Mail'], [['m@x.test', 'a@x.test']], null, 1],
    ['is the one that is wanted by name', ['email', 'Backup'], [['a@x.test', 'b@x.test']], 'backup', 1],
    ['is the one that is wanted by its exact name', ['Mail', 'mail'], [['a@x.test', 'b@x.test']], 'mail', 1],
    ['is the one that is wanted by number', ['email', 'email'], [['a@x.test', 'b@x.test']], '2', 1],
    ['is wanted by a name that is a number', ['2', 'x'], [['a@x.test', 'b@x.test']], '2', 0],
  ])('%s', (_name, names, cells, wanted, found) => {
    expect(chooseColumn({ names: [...names], hasHeader: true }, cells, wanted)).toBe(found);
  });

  test.each<[string, readonly string[], readonly (readonly string[])[], string | null, string]>([
    [
      'two with addresses',
      ['from', 'to'],
      [['a@x.test', 'b@x.test']],
      null,
      'Several columns contain addresses: "from" (column 1), "to" (column 2). Name one with --column.',
    ],
    [
      'none',
      ['id', 'name'],
      [['1', 'Ann']],
      null,
      'No column of addresses was found. Name one with --column: "id" (column 1), "name" (column 2).',
    ],
    ['blank lines', [''], [[' '], ['']], null, 'The list is empty.'],
    [
      'a name that is not there',
      ['id', 'name'],
      [],
      'mail',
      '--column mail: there is no such column. There are "id" (column 1), "name" (column 2).',
    ],
    ['many', Array.from({ length: 14 }, (_, n) => `c${n}`), [['x']], null, '"c11" (column 12), 2 more'],
  ])('is not guessed: %s', (_name, names, cells, wanted, message) => {
    expect(() => chooseColumn({ names: [...names], hasHeader: true }, cells, wanted)).toThrow(message);
  });

  test.each<[string, readonly string[], boolean, readonly (readonly string[])[], string]>([
    [
      'of several addresses',
      ['column_1', 'column_2'],
      false,
      [['a@x.test', 'b@x.test']],
      'put each in a line of its own',
    ],
    [
      'without an address',
      ['ann@example'],
      true,
      [],
      'The only line has no address in it. If it is one with a mistake, add --no-header --column 1',
    ],
  ])(
    'is no matter for a list of one line %s, and its reader is told what is',
    (_name, names, hasHeader, rows, words) => {
      expect(() => chooseColumn({ names: [...names], hasHeader }, rows, null)).toThrow(words);
    },
  );

  test('of a file that is no list is named in a line, however long its first one is', () => {
    const table = { names: ['['.repeat(100_000)], hasHeader: true };
    expect(() => chooseColumn(table, [['x']], null)).toThrow(new RegExp(`--column: "\\[{40}…" \\(column 1\\)\\.$`));
  });
});
