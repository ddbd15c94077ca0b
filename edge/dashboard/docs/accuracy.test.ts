import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { accuracyIn } from './accuracy.ts';

const text = await readFile(new URL('../../../prober/ACCURACY.md', import.meta.url), 'utf8');

it('takes the published accuracy from its paper, with the date', () => {
  const { date, expected, phrases, wronglyDead } = accuracyIn(text);
  expect(Date.parse(date)).toBeGreaterThan(Date.parse('2026-11-01'));
  const [low = 0, high = 0] = (expected.match(/\d+/g) ?? []).map(Number);
  expect([low > 50, low < high, high <= 100]).toEqual([true, true, true]);
  expect([phrases > 1_000, wronglyDead < phrases / 10]).toEqual([true, true]);
});

it.each([
  ['the date', /The figures are from \d+/],
  ['the range', /\*\*Expect/],
  ['its table', /\| unseen phrases \|/],
  ['a number of phrases', /(?<=from bounce tables[^|]*\| )[\d,]+/],
  ['a number of mistakes', /(?<=from bounce tables.* % \| )\d+/],
])('fails the build without %s', (_, part) => {
  expect(() => accuracyIn(text.replace(part, ''))).toThrow('was not found');
});
