import { expect, test } from 'vitest';
import { identityOf } from './entry.ts';

test('case and Unicode normalization make no difference between addresses', () => {
  expect(identityOf(' u\u0308@A.test')).toBe(identityOf('Ü@a.TEST'));
  expect(identityOf('a@a.test')).not.toBe(identityOf('b@a.test'));
});
