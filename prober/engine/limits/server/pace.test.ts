import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace, type Start } from './pace.ts';

const dialled = (account: number, atMs: number): Start => ({ account, atMs, state: 'dialled' });

/** Starts as often as the pace lets it. @returns when */
function run(pace: Pace, untilMs: number, account = 0): number[] {
  const at: number[] = [];
  for (let now = 0; now < untilMs; now = Math.max(now, Math.ceil(pace.readyAt()))) {
    if (pace.readyAt() > now) continue;
    pace.start(dialled(account, now));
    at.push(now);
  }
  return at;
}

test('of a hundred a minute thirty start at once, and the others one after the other', () => {
  const at = run(new Pace(100), 60_000);
  expect(at.filter((ms) => ms === 0)).toHaveLength(30);
  expect(at.length).toBeGreaterThanOrEqual(85);
});

test('never do more start in any minute than are allowed, no matter who asks when', () => {
  const asks = fc.array(fc.record({ account: fc.nat(5), pauseMs: fc.nat(3_000) }), { maxLength: 300 });
  fc.assert(
    fc.property(asks, fc.integer({ min: 1, max: 20 }), (made, perMinute) => {
      const pace = new Pace(perMinute);
      const at: number[] = [];
      let now = 0;
      for (const { account, pauseMs } of made) {
        now += pauseMs;
        if (pace.readyForOneAt(account, now) > now) continue;
        pace.start(dialled(account, now));
        at.push(now);
        expect(at.filter((ms) => ms > now - 60_000).length).toBeLessThanOrEqual(perMinute);
      }
    }),
  );
});

test('an account that asks for one now and then goes ahead of those that queue, fifteen times a minute', () => {
  const pace = new Pace(100);
  let served = 0;
  for (let now = 0; now < 60_000; now += 100) {
    if (pace.readyAt() <= now) pace.start(dialled(1, now));
    if (now % 2_000 !== 0 || pace.readyForOneAt(2, now) > now) continue;
    pace.start(dialled(2, now));
    served += 1;
  }
  expect(served).toBeGreaterThanOrEqual(15);
  expect(served).toBeLessThan(20);
});

test('a server that has had enough is left alone for half a minute, twice as long the next time, and then asked slowly', () => {
  const pace = new Pace(100);
  pace.backOff(0);
  expect(pace.readyAt()).toBe(30_000);
  pace.start(dialled(0, 30_000));
  expect(pace.readyAt()).toBeGreaterThan(30_500);
  pace.backOff(31_000);
  expect(pace.readyAt()).toBe(91_000);
  pace.ease();
  pace.ease();
  pace.backOff(100_000);
  expect(pace.readyAt()).toBe(130_000);
});

test('a server that has accepted three of ours in a minute may have had enough of us, one that has accepted none has not', () => {
  const pace = new Pace(100);
  expect(pace.isCrowded('opening', 0)).toBe(false);
  for (let n = 0; n < 3; n += 1) pace.start({ ...dialled(n, 0), state: 'accepted' });
  expect([pace.isCrowded('opening', 0), pace.isCrowded('rcpt', 0), pace.isCrowded('opening', 60_000)]).toEqual([
    true,
    false,
    false,
  ]);
});
