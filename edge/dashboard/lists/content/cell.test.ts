import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAddress } from '../../../../schema/address.ts';
import { isBroken } from './cell.ts';

it.each(['ann@a.test', '"ann lee"@a.test', 'ann@[192.0.2.1]', 'ü@bücher.test', "o'hara+x@a.test", 'ann@localhost'])(
  'sends %s',
  (email) => {
    expect(isBroken(email)).toBe(false);
  },
);

it.each([
  '',
  'nothing',
  '@a.test',
  'ann@',
  'two words@a.test',
  'a@b@c.test',
  '.ann@a.test',
  'ann.@a.test',
  'an..n@a.test',
  'ann@a test',
  'ann@.test',
  'a,b@c.test',
])('does not send %j', (email) => {
  expect(isBroken(email)).toBe(true);
});

const piece = fc.string({
  unit: fc.constantFrom('a', 'Z', '1', '.', '-', '_', '@', '"', ' ', ',', '<', 'ü', '\\', '(', '[', ']', '\t'),
});

it('holds nothing back that the service takes for an address', () => {
  let addresses = 0;
  fc.assert(
    fc.property(piece, piece, fc.emailAddress(), (local, domain, address) => {
      for (const email of [address, `${local}@${domain}`, `"${local}"@a.test`, `a${local}@${domain}z`]) {
        if (parseAddress(email) === null) continue;
        addresses += 1;
        expect(isBroken(email.trim())).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
  expect(addresses).toBeGreaterThan(500);
});
