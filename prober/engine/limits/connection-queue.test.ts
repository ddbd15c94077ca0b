import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Clock } from '../ports/ports.ts';
import { Crowd, Line } from './connection-queue.ts';
import { RESTS } from './cool-down.ts';
import { Height } from './scope-limit.ts';

const RESTS_MS = RESTS.asked_too_much.firstMs;

test('who comes at the very moment when a rest ends goes in behind those who waited for it', async () => {
  const clock = new FakeClock();
  const height = new Height<Line<string>>(2);
  const inside: string[] = [];
  const crowd = new Crowd<string>(
    clock,
    ({ account }, visitor) => {
      height.take(account, clock.now());
      inside.push(visitor);
    },
    () => {},
  );
  // Set before the rest begins, so that it comes before the timer that ends the waiting.
  clock.after(RESTS_MS, () => crowd.add(new Line(2, [height]), 'late'));
  height.coolDown.begin('asked_too_much', clock.now());
  crowd.add(new Line(1, [height]), 'early');
  await clock.advance(RESTS_MS - 1);
  expect(inside).toEqual([]);
  await clock.advance(1);
  expect([inside, height.lines, clock.pending]).toEqual([['early', 'late'], 0, 0]);
});

test('who comes just before a rest ends waits for its end, although it is over at the next look at the clock', () => {
  const timers = new FakeClock();
  const height = new Height<Line<string>>(2);
  height.coolDown.begin('asked_too_much', 0);
  let nowMs = RESTS_MS - 0.05;
  const clock: Clock = { now: () => (nowMs += 0.04), after: (delayMs, run) => timers.after(delayMs, run) };
  const crowd = new Crowd<string>(
    clock,
    () => {},
    () => {},
  );
  crowd.add(new Line(1, [height]), 'visitor');
  expect(timers.pending).toBe(1);
});
