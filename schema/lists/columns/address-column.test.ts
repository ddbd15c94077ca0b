import { describe, expect, test } from 'vitest';
import { findAddressColumn } from './address-column.ts';

describe('the column of addresses', () => {
  test.each<[string, readonly string[], readonly (readonly string[])[], number]>([
    [
      'is the only one with addresses, under any name',
      ['id', 'kontakt'],
      [
        ['1', 'a@x.test'],
        ['2', 'b@x.test'],
      ],
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
      1,
    ],
    ['is the one of several with such a name', ['sold by', 'E-Mail'], [['m@x.test', 'a@x.test']], 1],
    ["is not that of somebody else's address", ['Manager email', 'Email address'], [['m@x.test', 'a@x.test']], 1],
    [
      'is the one with such a name, though another is fuller',
      ['Manager email', 'E-Mail'],
      [
        ['m@x.test', 'a@x.test'],
        ['n@x.test', ''],
      ],
      1,
    ],
    ['is named in many languages', ['from', 'メールアドレス'], [['m@x.test', 'a@x.test']], 1],
    ['is the one with such a name if no cell decides', ['id', 'Email Address'], [['1', '?']], 1],
    ['has addresses, not only such a name', ['email', 'contact'], [['yes', 'a@x.test']], 1],
    ['may have names beside the addresses', ['id', 'to'], [['1', 'Ann Lee <a@x.test>']], 1],
    ['is not one of results', ['kontakt', 'rcpt_email'], [['a@x.test', 'a@x.test']], 0],
    ['may be one that the header does not know', ['id'], [['1', 'a@x.test']], 1],
  ])('%s', (_name, names, sample, column) => {
    expect(findAddressColumn(names, sample)).toEqual({ kind: 'found', column });
  });

  test('is not guessed among several; the likeliest comes first', () => {
    const cells = [
      ['m@x.test', 'a@x.test'],
      ['?', 'b@x.test'],
    ];
    expect(findAddressColumn(['from', 'to'], cells)).toEqual({ kind: 'several', columns: [1, 0] });
    expect(findAddressColumn(['email', 'mail'], cells.slice(0, 1))).toEqual({ kind: 'several', columns: [0, 1] });
  });

  test.each([
    ['is badly kept', ['m@x.test', 'a@x.test'], ['n@x.test', 'none'], ['o@x.test', '?']],
    ['is empty at the top', ['m@x.test', ''], ['n@x.test', ''], ['o@x.test', '']],
  ])('is asked for if the column with that name %s', (_name, ...sample) => {
    expect(findAddressColumn(['Manager email', 'E-Mail'], sample)).toEqual({ kind: 'several', columns: [1, 0] });
  });

  test('is missing if hardly any cell is an address; the likeliest is named', () => {
    expect(findAddressColumn([], [])).toEqual({ kind: 'none', likeliest: null });
    expect(findAddressColumn(['id', 'name'], [['1', 'Ann']])).toEqual({ kind: 'none', likeliest: null });
    const cells = [['1', 'a@x.test'], ...Array.from({ length: 5 }, () => ['1', 'broken'])];
    expect(findAddressColumn(['id', 'x'], cells)).toEqual({ kind: 'none', likeliest: 1 });
  });
});
