import { expect, test } from 'vitest';
import { identityOf, mayBeAddress } from './entry.ts';

test('case and Unicode normalization make no difference between addresses', () => {
  expect(identityOf(' u\u0308@A.test')).toBe(identityOf('Ü@a.TEST'));
  expect(identityOf('a@a.test')).not.toBe(identityOf('b@a.test'));
});

test.each([
  [' a@b ', true],
  ['@b', false],
  ['a@', false],
  [`${'a'.repeat(318)}@b`, true],
  [`${'a'.repeat(319)}@b`, false],
])('%j may cost a credit: %j', (email, may) => {
  expect(mayBeAddress(email)).toBe(may);
});
