import { expect, test } from 'vitest';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import type { Clock } from '../ports/ports.ts';
import { ConnectionQueue, WaitingGroup } from './connection-queue.ts';
import { COOL_DOWNS } from './server/cool-down.ts';
import { ScopeLimit } from './scope-limit.ts';
import { Tenure } from './shares/tenure.ts';

const SCOPE = { resource: 'connections', connections: 2, places: 'lent' } as const;
const account = (number: number) => ({ account: number }) as const;
const COOL_DOWN_MS = COOL_DOWNS.asked_too_much.firstMs;

test('who comes at the very moment when a rest ends goes in behind those who waited for it', async () => {
  const clock = new FakeClock();
  const limit = new ScopeLimit<WaitingGroup<string>>(SCOPE);
  const inside: string[] = [];
  const queue = new ConnectionQueue<string>(
    clock,
    (group, waiter) => {
      limit.acquire(new Tenure(group, false, clock.now()), clock.now());
      inside.push(waiter);
    },
    () => {},
  );
  // Set before the rest begins, so that it comes before the timer that ends the waiting.
  clock.after(COOL_DOWN_MS, () => queue.add(new WaitingGroup(account(2), [limit]), 'late'));
  limit.coolDown.begin('asked_too_much', clock.now());
  queue.add(new WaitingGroup(account(1), [limit]), 'early');
  await clock.advance(COOL_DOWN_MS - 1);
  expect(inside).toEqual([]);
  await clock.advance(1);
  expect([inside, limit.groups, clock.pending]).toEqual([['early', 'late'], 0, 0]);
});

test('who comes just before a rest ends waits for its end, although it is over at the next look at the clock', () => {
  const timers = new FakeClock();
  const limit = new ScopeLimit<WaitingGroup<string>>(SCOPE);
  limit.coolDown.begin('asked_too_much', 0);
  let nowMs = COOL_DOWN_MS - 0.05;
  const clock: Clock = { now: () => (nowMs += 0.04), after: (delayMs, run) => timers.after(delayMs, run) };
  const queue = new ConnectionQueue<string>(
    clock,
    () => {},
    () => {},
  );
  queue.add(new WaitingGroup(account(1), [limit]), 'waiter');
  expect(timers.pending).toBe(1);
});
