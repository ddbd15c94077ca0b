import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { Alarm } from './alarm.ts';

/** A clock that tells which timers stand. */
function watched() {
  const timers = new Map<number, { readonly delayMs: number; readonly run: () => void }>();
  let made = 0;
  const clock: Clock = {
    now: () => 100,
    wallMs: () => 0,
    random: () => 0,
    after: (delayMs, run) => {
      const id = (made += 1);
      timers.set(id, { delayMs, run });
      return () => void timers.delete(id);
    },
  };
  const ring = (): void => {
    for (const [id, { run }] of timers) {
      timers.delete(id);
      run();
    }
  };
  return { clock, ring, delays: () => [...timers.values()].map(({ delayMs }) => delayMs), made: () => made };
}

test('one timer stands at a time: the earliest, which a later one or the same does not move', () => {
  const { clock, delays, made } = watched();
  const alarm = new Alarm(clock, () => {});
  alarm.set(500);
  alarm.set(900);
  alarm.set(500);
  expect([delays(), made()]).toEqual([[400], 1]);
  alarm.set(300);
  expect(delays()).toEqual([200]);
  alarm.set(50);
  expect(delays()).toEqual([0]);
});

test('it wakes once, and can be set again for later', () => {
  const { clock, ring, delays } = watched();
  let woken = 0;
  const alarm = new Alarm(clock, () => (woken += 1));
  alarm.set(500);
  ring();
  expect([woken, delays()]).toEqual([1, []]);
  alarm.set(900);
  expect(delays()).toEqual([800]);
});

test('what is cleared does not wake, and a timer waits no longer than a day', () => {
  const { clock, ring, delays } = watched();
  let woken = 0;
  const alarm = new Alarm(clock, () => (woken += 1));
  alarm.set(500);
  alarm.clear();
  ring();
  expect([woken, delays()]).toEqual([0, []]);
  alarm.set(Infinity);
  expect(delays()).toEqual([]);
  alarm.set(1e12);
  expect(delays()).toEqual([86_400_000]);
});
