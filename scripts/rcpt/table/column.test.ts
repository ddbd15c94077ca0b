import { describe, expect, test } from 'vitest';
import { findColumn } from './column.ts';

const rows = (...cells: readonly (readonly string[])[]) =>
  cells.map((each, index) => ({ line: index + 1, cells: each, raw: null }));

describe('the column of addresses', () => {
  test.each<[string, readonly string[], readonly (readonly string[])[], string | null, number]>([
    [
      'is the only one with addresses, whatever its name',
      ['id', 'kontakt'],
      [
        ['1', 'a@x.test'],
        ['2', 'b@x.test'],
      ],
      null,
      1,
    ],
    [
      'is found though some of its cells are wrong or empty',
      ['id', 'x'],
      [
        ['1', 'a@x.test'],
        ['2', 'b(at)x'],
        ['3', ''],
        ['4', 'c@x.test'],
      ],
      null,
      1,
    ],
    ['is the one of several that is named so', ['manager_email', 'E-Mail'], [['m@x.test', 'a@x.test']], null, 1],
    ['is the one that is named so, if no cell says anything', ['id', 'Email Address'], [['1', '?']], null, 1],
    ['is the one that is wanted by name', ['email', 'Backup'], [['a@x.test', 'b@x.test']], 'backup', 1],
    ['is the one that is wanted by its exact name', ['Mail', 'mail'], [['a@x.test', 'b@x.test']], 'mail', 1],
    ['is the one that is wanted by number', ['email', 'email'], [['a@x.test', 'b@x.test']], '2', 1],
    ['is wanted by a name that is a number', ['2', 'x'], [['a@x.test', 'b@x.test']], '2', 0],
  ])('%s', (_name, names, cells, wanted, found) => {
    expect(findColumn(names, rows(...cells), wanted)).toBe(found);
  });

  test.each<[string, readonly string[], readonly (readonly string[])[], string | null, string]>([
    [
      'two with addresses',
      ['from', 'to'],
      [['a@x.test', 'b@x.test']],
      null,
      'Several columns contain addresses: "from" (1), "to" (2). Name one with --column.',
    ],
    ['nothing at all', [], [], 'email', 'The list is empty.'],
    [
      'two that are named so',
      ['email', 'mail'],
      [['a@x.test', 'b@x.test']],
      null,
      'columns contain addresses: "email" (1), "mail" (2)',
    ],
    [
      'none',
      ['id', 'name'],
      [['1', 'Ann']],
      null,
      'No column of addresses was found. Name one with --column: "id" (1), "name" (2).',
    ],
    [
      'a name that is not there',
      ['id', 'name'],
      [],
      'mail',
      '--column mail: there is no such column. There are "id" (1), "name" (2).',
    ],
    [
      'a name that is there twice',
      ['mail', 'Mail'],
      [],
      'MAIL',
      'several columns have this name: "mail" (1), "Mail" (2). Give a number.',
    ],
    ['a number that is not there', ['id'], [], '2', 'there is no such column'],
    ['many', Array.from({ length: 14 }, (_, n) => `c${n}`), [], null, '"c11" (12), 2 more'],
  ])('is not guessed: %s', (_name, names, cells, wanted, message) => {
    expect(() => findColumn(names, rows(...cells), wanted)).toThrow(message);
  });
});
