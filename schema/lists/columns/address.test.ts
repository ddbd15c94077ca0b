import { expect, test } from 'vitest';
import { addressIn, addressInRow, holdsSeveral, looksLikeAddress } from './address.ts';

test('brackets around an address and a guarding apostrophe are removed', () => {
  expect(addressIn(' Ann Lee <ann@a.test> ')).toBe('ann@a.test');
  expect(addressIn(' ann@a.test\r')).toBe('ann@a.test');
  expect(["'+ann@a.test", "'ann@a.test"].map(addressIn)).toEqual(['+ann@a.test', "'ann@a.test"]);
});

test.each([
  ['"Müller, Jörg" <ann@a.test>', 'ann@a.test'],
  ['Ann <ann@a.test>;', 'ann@a.test'],
  ["'ann@a.test'", 'ann@a.test'],
  ['“ann@a.test”', 'ann@a.test'],
  ['mailto:ann@a.test?subject=Hi', 'ann@a.test'],
  ['Ann <MAILTO:ann@a.test>', 'ann@a.test'],
  ['\u00A0ann@a.test,\u200B', 'ann@a.test'],
  ['\u202Aann@a.test\u202C', 'ann@a.test'],
  ['\u200Fgabi@a.test\u200E', 'gabi@a.test'],
  ['Ann <\u2068ann@a.test\u2069>', 'ann@a.test'],
  ['\u2060ann@a.test\u00AD\uFEFF', 'ann@a.test'],
  ['\u061Cann@a.test\u3164', 'ann@a.test'],
  ['Ann <an\u200Bn@a\u202A.test>\u200B', 'ann@a.test'],
  ['n\u200Cn@a.test', 'n\u200Cn@a.test'],
])('in %j is %j', (cell, address) => {
  expect(addressIn(cell)).toBe(address);
});

test.each([
  'ann@a.test; bob@b.test',
  'Ann <ann@a.test>, Bob <bob@b.test>',
  'ann@a.test bob@b.test',
  'ann@a.test|bob@b.test',
])('none of the several addresses in %j is chosen', (cell) => {
  expect(addressIn(cell)).toBe(cell);
  expect(looksLikeAddress(cell)).toBe(false);
});

test('in a row with extra cells the only address is used', () => {
  expect(addressInRow(['1', 'Lee', ' Ann', 'ann@a.test'], 2, 3)).toBe('ann@a.test');
  expect(addressInRow(['1', 'Lee', ' Ann', 'ann@a.test', 'boss@a.test'], 2, 3)).toBe('Ann');
  expect(addressInRow(['1', 'Lee', 'broken', 'boss@a.test'], 2, 4)).toBe('broken');
  expect(addressInRow(['1', 'Lee', 'ann@a.test', 'boss@a.test'], 2, 3)).toBe('ann@a.test');
});

test.each([
  ['ann@a.test', true],
  [' Ann <ann@a.test>', true],
  ['ann@a', false],
  ['ann at a.test', false],
  ['a@b@c.test', false],
  ['"Lee; Ann"@a.test', true],
  ['Ann;ann@a.test', false],
  ['Ann|ann@a.test', false],
  [`${' '.repeat(64_000)}ann@a.test`, true],
  [`${'x '.repeat(194)}<ann@a.test>`, true],
  [`${'x '.repeat(195)}<ann@a.test>`, false],
  [`${'a'.repeat(400)}@a.test`, false],
])('%j looks like an address: %j', (cell, looks) => {
  expect(looksLikeAddress(cell)).toBe(looks);
});

test.each([
  ['ann@a.test; bob@b.test', true],
  ['Ann <ann@a.test>, Bob <bob@b.test>', true],
  ['ann@a.test/bob@b.test', true],
  ['mailto:ann@a.test & mailto:bob@b.test', true],
  ['ann@a.test\nbob@b.test', true],
  ['ann@a.test', false],
  ['"Lee, Ann" <ann@a.test>', false],
  ['Ann (ann@a.test) <ann@a.test>', false],
  ['r/d@a.test', false],
  ['ann@@a.test', false],
  ['ann @ a.test or ask', false],
  ['', false],
])('%j holds several addresses: %j', (cell, several) => {
  expect(holdsSeveral(cell)).toBe(several);
});

test('the same address twice in a cell counts once', () => {
  expect(['ann@a.test; Ann@A.test', 'ann@a.test <ann@a.test>'].map(addressIn)).toEqual(['Ann@A.test', 'ann@a.test']);
  expect(addressIn('"ann@home" <ann@a.test>')).toBe('ann@a.test');
  expect(addressIn('ann@b@a.test')).toBe('ann@b@a.test');
});
