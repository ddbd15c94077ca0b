import { expect, test } from 'vitest';
import { recommended, saving } from './recommend.ts';

const pack = (credits: number, amount: number, currency = 'eur') => ({ id: `p${credits}`, credits, amount, currency });
const PACKS = [pack(50_000, 17_500), pack(5_000, 2_500), pack(500_000, 95_000)];

test.each([
  [0, undefined],
  [-3, undefined],
  [1, 5_000],
  [5_000, 5_000],
  [5_001, 50_000],
  [300_000, 500_000],
  [9_000_000, 500_000],
])('who needs %i credits is recommended %s', (needed, credits) => {
  expect(recommended(PACKS, needed)?.credits).toBe(credits);
});

test('without packs there is nothing to recommend', () => {
  expect(recommended([], 7)).toBeNull();
});

test('a larger pack saves against the smallest of its currency, and never more than is true', () => {
  const parts = (packs: ReturnType<typeof pack>[]) => packs.map((one) => saving(packs, one)?.part ?? null);
  expect(parts(PACKS)).toEqual([0.3, null, 0.62]);
  expect(parts([pack(3, 3), pack(9, 8), pack(9_000, 9_000)])).toEqual([null, 0.11, null]);
  expect(parts([pack(10, 100, 'eur'), pack(1_000, 5_000, 'usd')])).toEqual([null, null]);
  expect(parts([pack(10, 10), pack(20, 30)])).toEqual([null, null]);
});
