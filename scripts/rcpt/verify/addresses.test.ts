import { expect, test } from 'vitest';
import { Addresses } from './addresses.ts';

test('a list beyond the first allocation keeps every place', () => {
  const addresses = new Addresses();
  for (let n = 0; n < 5_000; n += 1) addresses.add(`user${n % 4_000}@x.test`);
  expect([addresses.distinct, addresses.firstOf(4_500), addresses.firstOf(3_999)]).toEqual([4_000, 500, 3_999]);
});
