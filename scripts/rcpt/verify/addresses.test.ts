import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Addresses } from './addresses.ts';

test('each address is given once, at its first place, and every place knows its own', () => {
  const email = fc.oneof(fc.constantFrom('a@x.test', 'A@x.test', 'b@x.test', 'none', '\uD800@x.test'), fc.string());
  fc.assert(
    fc.property(fc.array(email, { maxLength: 40 }), (emails) => {
      const addresses = new Addresses();
      for (const each of emails) addresses.add(each);
      const given = [...addresses.emails()];
      expect([addresses.size, given.length]).toEqual([emails.length, emails.length]);
      expect(given.filter((each) => each !== null)).toHaveLength(addresses.distinct);
      for (const [place, each] of emails.entries()) {
        expect(addresses.isAt(place, each)).toBe(true);
        expect(given[place] === null).toBe(!addresses.isFirst(place));
        expect(addresses.isAt(addresses.firstOf(place), each)).toBe(true);
        expect(addresses.firstOf(place)).toBeLessThanOrEqual(place);
      }
      expect(addresses.isAt(emails.length, 'a@x.test')).toBe(false);
    }),
  );
});

test('a list beyond the first allocation keeps every place', () => {
  const addresses = new Addresses();
  for (let n = 0; n < 5_000; n += 1) addresses.add(`user${n % 4_000}@x.test`);
  expect([addresses.distinct, addresses.firstOf(4_500), addresses.firstOf(3_999)]).toEqual([4_000, 500, 3_999]);
});
