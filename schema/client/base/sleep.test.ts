import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { sleepUntil } from './sleep.ts';

/** Whether it is over, once all that is due has run. */
async function isOver(sleep: Promise<void>): Promise<boolean> {
  const later = new Promise<false>((done) => setImmediate(() => done(false)));
  return Promise.race([sleep.then(() => true), later]);
}

test('a sleep ends at its time, and not before', async () => {
  const clock = new ManualClock();
  const sleep = sleepUntil(clock, 1_000, null);
  clock.advance(999);
  expect(await isOver(sleep)).toBe(false);
  clock.advance(1);
  expect(await isOver(sleep)).toBe(true);
});

test('a time in the past and a signal that has fired end the sleep at once', async () => {
  const clock = new ManualClock();
  expect(await isOver(sleepUntil(clock, 0, null))).toBe(true);
  expect(await isOver(sleepUntil(clock, -1, null))).toBe(true);
  expect(await isOver(sleepUntil(clock, 1_000, AbortSignal.abort()))).toBe(true);
});

test('a signal ends a sleep, and nothing is left of it', async () => {
  const timers = new Set<() => void>();
  const after = (_delayMs: number, run: () => void) => {
    timers.add(run);
    return () => timers.delete(run);
  };
  const { now, random, wallMs } = new ManualClock();
  const stop = new AbortController();
  const sleep = sleepUntil({ now, random, wallMs, after }, 1_000, stop.signal);
  const woken = getEventListeners(stop.signal, 'abort');
  expect([timers.size, woken.length, await isOver(sleep)]).toEqual([1, 1, false]);
  stop.abort();
  expect([timers.size, getEventListeners(stop.signal, 'abort'), await isOver(sleep)]).toEqual([0, [], true]);
});
