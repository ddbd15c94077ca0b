import { expect, test } from 'vitest';
import { priceOf } from './price.ts';

test('the price is what the service takes for the list, or more', () => {
  const list = ['a@x.test', 'A@X.test ', 'b@x.test', 'no address', '@x.test', 'b@', 'a@b@x.test'];
  expect(priceOf(list)).toEqual({ entries: 7, distinct: 6, atMost: 3 });
});
