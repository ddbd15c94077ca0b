import { expect, test } from 'vitest';
import { Sample } from './sample.ts';

function taken(row: readonly string[]): number {
  const sample = new Sample();
  while (!sample.isFull) sample.add(row);
  return sample.rows.length;
}

test('a sample has 1,000 rows and four million characters at most', () => {
  expect(taken(['ann@a.test', 'Ann'])).toBe(1_000);
  expect(taken(['a'.repeat(1_000_000), 'b'.repeat(1_000)])).toBe(4);
});
