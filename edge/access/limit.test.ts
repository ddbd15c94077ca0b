import { expect, it } from 'vitest';
import { callsAMinute } from './limit.ts';

it('a free account has a tenth of the calls, and one of which nothing is known is let call as one that bought', () => {
  const classes = ['bought', 'free', null] as const;
  expect(classes.map((one) => callsAMinute(1_200, one))).toEqual([1_200, 120, 1_200]);
  expect([callsAMinute(5, 'free'), callsAMinute(0, 'free')]).toEqual([1, Infinity]);
});
