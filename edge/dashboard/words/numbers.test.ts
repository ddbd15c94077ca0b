import { expect, it } from 'vitest';
import { counted, duration, fileSize, progress, share } from './numbers.ts';

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

const plain = (words: string) => words.replaceAll(/\s/g, '');

it('never calls a part the whole, or something nothing', () => {
  const parts = [0, 1, 500, 2_999, 3_000, 2_999_999].map((part) => plain(share(part, 3_000_000)));
  expect(parts).toEqual(['0%', '0.1%', '0.1%', '0.1%', '0.1%', '99.9%']);
  const done = [0, 1, 29, 2_970, 2_999, 3_000].map((part) => plain(progress(part, 3_000)));
  expect(done).toEqual(['0%', '0%', '0%', '99%', '99%', '100%']);
});

it('formats shares, also of nothing, and file sizes', () => {
  expect(share(0, 0)).toMatch(/^0/);
  expect([fileSize(1), fileSize(999), fileSize(32_500)].map((text) => text.replace(',', '.'))).toEqual([
    '1 byte',
    '999 bytes',
    '32.5 kB',
  ]);
});
