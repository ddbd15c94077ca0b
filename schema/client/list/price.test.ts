import { expect, test } from 'vitest';
import { identityOf, mayBeAddress } from './entry.ts';
import { priceOf } from './price.ts';

test('the price is what the service takes for the list, or more', () => {
  const list = ['a@x.test', 'A@X.test ', 'b@x.test', 'no address', '@x.test', 'b@', 'a@b@x.test'];
  expect(priceOf(list)).toEqual({ entries: 7, distinct: 6, atMost: 3 });
});

test('case and Unicode normalization make no difference between addresses', () => {
  expect(identityOf(' u\u0308@A.test')).toBe(identityOf('Ü@a.TEST'));
  expect(identityOf('a@a.test')).not.toBe(identityOf('b@a.test'));
});

test.each([
  [' a@b ', true],
  ['@b', false],
  ['a@', false],
  [`${'a'.repeat(1_398)}@b`, true],
  [`${'a'.repeat(1_399)}@b`, false],
])('%j may cost a credit: %j', (email, may) => {
  expect(mayBeAddress(email)).toBe(may);
});
