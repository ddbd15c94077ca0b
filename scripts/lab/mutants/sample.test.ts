import { expect, it } from 'vitest';
import { sample } from './sample.ts';

const ITEMS = Array.from({ length: 100 }, (_, at) => at);

it('a sample has the size that was asked for, in the order of the whole', () => {
  const some = sample(ITEMS, 10, 1);
  expect(some).toHaveLength(10);
  expect(some).toEqual([...some].toSorted((a, b) => a - b));
  expect(sample(ITEMS, 1_000, 1)).toEqual(ITEMS);
});

it('a seed repeats its sample, and another draws another', () => {
  expect(sample(ITEMS, 10, 1)).toEqual(sample(ITEMS, 10, 1));
  expect(sample(ITEMS, 10, 2)).not.toEqual(sample(ITEMS, 10, 1));
});
