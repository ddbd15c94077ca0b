import { expect, test } from 'vitest';
import { addressIn, looksLikeAddress } from './address.ts';

test('an address is taken out of its brackets, and from behind the apostrophe that keeps it from being run', () => {
  expect(addressIn(' Ann Lee <ann@a.test> ')).toBe('ann@a.test');
  expect(addressIn(' ann@a.test\r')).toBe('ann@a.test');
  expect(["'+ann@a.test", "'ann@a.test"].map(addressIn)).toEqual(['+ann@a.test', "'ann@a.test"]);
});

test.each([
  ['ann@a.test', true],
  [' Ann <ann@a.test>', true],
  ['ann@a', false],
  ['ann at a.test', false],
  ['a@b@c.test', false],
  [`${'a'.repeat(400)}@a.test`, false],
])('%j looks like an address: %j', (cell, looks) => {
  expect(looksLikeAddress(cell)).toBe(looks);
});
