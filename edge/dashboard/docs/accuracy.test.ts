import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { accuracyIn } from './accuracy.ts';

const text = await readFile(new URL('../../../prober/ACCURACY.md', import.meta.url), 'utf8');

it('takes the published accuracy from its paper, with the date', () => {
  const { date, expected, replies, right, wronglyDead } = accuracyIn(text);
  expect(Date.parse(date)).toBeGreaterThan(Date.parse('2026-11-01'));
  const [low = 0, high = 0] = (expected.match(/\d+/g) ?? []).map(Number);
  expect([low > 50, low < high, high <= 100]).toEqual([true, true, true]);
  expect(parseFloat(right)).toBeLessThanOrEqual(100);
  expect(Number(wronglyDead)).toBeLessThan(Number(replies.replace(',', '')));
});

it.each([
  ['the date', /The figures are from \d+/],
  ['the range', /\*\*Expect/],
  ['the number of replies', /: of [\d,]+ phrases/],
  ['the share', / were right at first/],
  ['the mistakes', /\d+ wrongly dead and/],
])('fails the build without %s', (_, part) => {
  expect(() => accuracyIn(text.replace(part, ''))).toThrow('was not found');
});
