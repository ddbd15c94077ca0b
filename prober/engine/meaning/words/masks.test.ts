import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceAddresses } from './masks.ts';

const piece = fc.constantFrom('a', 'b.test', '@', '<', '>', ' ', '"', '\n', '\u00a0', '[1.2]', ':', '550', 'é', '.');

test('an address is found wherever it stands, as if all of the text were searched', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.string({ maxLength: 5 }), (pieces, before) => {
      const text = before + pieces.join('');
      // What follows the last @ and white space holds no address: with an address behind it the search cannot stop early.
      const searched = replaceAddresses(`${text} z@z`, () => 'ADDR');
      expect(replaceAddresses(text, () => 'ADDR')).toBe(searched.slice(0, -' ADDR'.length));
    }),
  );
});

test.each([
  ['<a@b.test>: unknown', 'ADDR: unknown'],
  ['"odd one"@b.test and x@[192.0.2.1], both', 'ADDR and ADDR, both'],
  ['user @ home', 'user @ home'],
  ['nobody here', 'nobody here'],
])('%s', (text, masked) => {
  expect(replaceAddresses(text, () => 'ADDR')).toBe(masked);
});
