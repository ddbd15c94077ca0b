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

test('nobody sleeps until a time that is past, or once the signal has fired', async () => {
  const clock = new ManualClock();
  expect(await isOver(sleepUntil(clock, 0, null))).toBe(true);
  expect(await isOver(sleepUntil(clock, -1, null))).toBe(true);
  expect(await isOver(sleepUntil(clock, 1_000, AbortSignal.abort()))).toBe(true);
});

test('a signal ends a sleep, which leaves neither a timer nor a listener', async () => {
  const timers = new Set<() => void>();
  const clock = {
    ...new ManualClock(),
    after: (_delayMs: number, run: () => void) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  };
  const stop = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = stop;
  const { addEventListener: add, removeEventListener: remove } = signal;
  signal.addEventListener = (...[type, listener]: Parameters<typeof add>) => {
    listeners.add(listener);
    add.call(signal, type, listener);
  };
  signal.removeEventListener = (...[type, listener]: Parameters<typeof remove>) => {
    listeners.delete(listener);
    remove.call(signal, type, listener);
  };
  const sleep = sleepUntil(clock, 1_000, signal);
  expect([timers.size, listeners.size, await isOver(sleep)]).toEqual([1, 1, false]);
  stop.abort();
  expect([timers.size, listeners.size, await isOver(sleep)]).toEqual([0, 0, true]);
});
