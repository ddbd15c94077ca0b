import { expect, it } from 'vitest';
import { addressesIn } from './pasted.ts';

it.each([
  ['one', 'ann@a.test', ['ann@a.test']],
  ['nothing', ' \n , ;', []],
  ['one a line', 'ann@a.test\r\nbob@b.test\n', ['ann@a.test', 'bob@b.test']],
  [
    'commas, semicolons and spaces',
    'a@a.test, b@b.test;c@c.test d@d.test',
    ['a@a.test', 'b@b.test', 'c@c.test', 'd@d.test'],
  ],
  ['names with brackets', 'Ann Lee <ann@a.test>, "Bob" <bob@b.test>', ['ann@a.test', 'bob@b.test']],
  ['marks that nobody sees', '\u061Cann@a.test\u200B, b\u00ADob@b.test', ['ann@a.test', 'bob@b.test']],
  ['the same in other letters', 'Ann@A.test\nann@a.test', ['Ann@A.test']],
  ['what is not an address, whole', 'no address', ['no address']],
  ['a quoted local part, whole', '"ann lee"@a.test', ['"ann lee"@a.test']],
])('finds %s', (_name, text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses);
});
