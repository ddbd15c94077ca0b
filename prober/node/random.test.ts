import { expect, it } from 'vitest';
import { random } from './random.ts';

it('random numbers are uniform in [0, 1) and never repeat', () => {
  const drawn = Array.from({ length: 20_000 }, () => random());
  expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(new Set(drawn).size).toBe(drawn.length);
  const tenths = Array.from({ length: 10 }, (_, tenth) => drawn.filter((n) => Math.floor(n * 10) === tenth).length);
  // 2,000 expected, standard deviation 42: ten of them.
  for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(420);
});
