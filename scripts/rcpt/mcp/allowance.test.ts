import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('what calls under way may spend is spent until they say what they spent', () => {
  const allowance = new Allowance(100);
  const first = allowance.hold(60);
  expect([allowance.left, allowance.hold(41)]).toEqual([40, null]);
  const second = allowance.hold(40);
  expect(allowance.left).toBe(0);
  first?.(10);
  first?.(10);
  expect(allowance.left).toBe(50);
  second?.(40);
  expect([allowance.left, allowance.hold(51)]).toEqual([50, null]);
});
