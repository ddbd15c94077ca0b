import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

test('a lane that is given back goes to one that waits for it before another domain begins', () => {
  const told: string[] = [];
  const lanes = new Lanes(2, () => told.push('next'));
  const [one, two] = [lanes.take(), lanes.take()];
  one.leave();
  const three = lanes.take();
  expect([lanes.isFree, one.isReady(() => one.enter()), two.isReady(() => {})]).toEqual([false, false, true]);
  three.leave();
  expect([lanes.isFree, told]).toEqual([false, ['next']]);
  two.leave();
  expect([lanes.isFree, told]).toEqual([true, ['next', 'next']]);
});

test('a domain that goes on without one takes it from the next domain, and gives back no more than it took', () => {
  const lanes = new Lanes(1, () => {});
  const one = lanes.take();
  one.leave();
  const two = lanes.take();
  one.enter();
  two.leave();
  two.leave();
  expect(lanes.isFree).toBe(false);
  one.leave();
  expect(lanes.isFree).toBe(true);
});
