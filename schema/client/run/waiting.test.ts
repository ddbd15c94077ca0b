import { expect, test } from 'vitest';
import { Waiting } from './waiting.ts';

test('what falls due within five seconds of each other is due together, and nothing too early', () => {
  const waiting = new Waiting<string>();
  expect([waiting.size, waiting.nextMs]).toEqual([0, Infinity]);
  waiting.add('late', 11_000);
  waiting.add('a', 5_001);
  waiting.add('b', 10_000);
  expect([waiting.size, waiting.nextMs]).toEqual([3, 10_000]);
  expect(waiting.removeDue(9_999)).toEqual([]);
  expect(waiting.removeDue(10_000)).toEqual(['a', 'b']);
  expect([waiting.size, waiting.nextMs]).toEqual([1, 15_000]);
  expect(waiting.removeDue(Infinity)).toEqual(['late']);
  expect([waiting.size, waiting.nextMs]).toEqual([0, Infinity]);
});
