import { describe, expect, test } from 'vitest';
import { findAddressColumn } from './address-column.ts';

/** The column of a list whose first line names its columns. */
const found = (text: string) => {
  const [names = [], ...rows] = text.split('\n').map((line) => line.split(';'));
  return findAddressColumn(names, rows);
};

describe('the column of addresses', () => {
  test.each([
    ['is the only one with addresses, under any name', 'id;kontakt\n1;a@x.test\n2;b@x.test', 1],
    ['is found though some of its cells are wrong or empty', 'id;x\n1;a@x.test\n2;b(at)x\n3;\n4;c@x.test', 1],
    ['is the one of several with such a name', 'sold by;E-Mail\nm@x.test;a@x.test', 1],
    ["is not that of somebody else's address", 'Manager email;Email address\nm@x.test;a@x.test', 1],
    ['is the one with such a name, though another is fuller', 'Manager email;E-Mail\nm@x.test;a@x.test\nn@x.test;', 1],
    ['is named in many languages', 'from;メールアドレス\nm@x.test;a@x.test', 1],
    ['is the one with such a name if no cell decides', 'id;Email Address\n1;?', 1],
    ['has addresses, not only such a name', 'email;contact\nyes;a@x.test', 1],
    ['may have names beside the addresses', 'id;to\n1;Ann Lee <a@x.test>', 1],
    ['is not one of results', 'kontakt;rcpt_email\na@x.test;a@x.test', 0],
    ['may be one that the header does not know', 'id\n1;a@x.test', 1],
  ])('%s', (_name, text, column) => {
    expect(found(text)).toEqual({ kind: 'found', column });
  });

  test.each([
    ['is not guessed among several; the likeliest comes first', 'from;to\nm@x.test;a@x.test\n?;b@x.test', [1, 0]],
    ['is not guessed between two such names', 'email;mail\nm@x.test;a@x.test', [0, 1]],
    [
      'is asked for if that name is badly kept',
      'Manager email;E-Mail\nm@x.test;a@x.test\nn@x.test;none\no@x.test;?',
      [1, 0],
    ],
    ['is asked for if that name is empty at the top', 'Manager email;E-Mail\nm@x.test;\nn@x.test;\no@x.test;', [1, 0]],
  ])('%s', (_name, text, columns) => {
    expect(found(text)).toEqual({ kind: 'several', columns });
  });

  test('is missing if hardly any cell is an address; the likeliest is named', () => {
    expect(found('')).toEqual({ kind: 'none', likeliest: null });
    expect(found('id;name\n1;Ann')).toEqual({ kind: 'none', likeliest: null });
    expect(found(`id;x\n1;a@x.test${'\n1;broken'.repeat(5)}`)).toEqual({ kind: 'none', likeliest: 1 });
  });
});
