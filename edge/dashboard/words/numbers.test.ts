import { expect, it } from 'vitest';
import { counted, duration, fileSize, share } from './numbers.ts';

it.each([
  [0.2, '1 s'],
  [89, '89 s'],
  [90, '2 min'],
  [3_600, '60 min'],
  [5_400, '1 h 30 min'],
  [7_200, '2 h'],
  [86_400, '24 h'],
  [259_200, '3 days'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

it('uses the singular for one', () => {
  expect([0, 1, 2].map((count) => counted(count, 'row', 'rows'))).toEqual(['0 rows', '1 row', '2 rows']);
});

it('formats shares, also of nothing, and file sizes', () => {
  expect(share(0, 0)).toMatch(/^0/);
  expect([fileSize(1), fileSize(999), fileSize(32_500)].map((text) => text.replace(',', '.'))).toEqual([
    '1 byte',
    '999 bytes',
    '32.5 kB',
  ]);
});
