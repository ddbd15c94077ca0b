import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBucket, type Start } from './token-bucket.ts';

const dialled = (account: number, atMs: number): Start => ({ account, atMs, wasRefused: false });

/** Starts as often as the pace allows. @returns the times */
function run(pace: TokenBucket, untilMs: number, account = 0): number[] {
  const at: number[] = [];
  for (let now = 0; now < untilMs; now = Math.ceil(pace.startsAt(now))) {
    if (pace.startsAt(now) > now) continue;
    pace.start(dialled(account, now));
    at.push(now);
  }
  return at;
}

test('thirty of a hundred a minute start at once, the rest one by one', () => {
  const at = run(new TokenBucket(100), 60_000);
  expect(at.filter((ms) => ms === 0)).toHaveLength(30);
  expect(at.length).toBeGreaterThanOrEqual(85);
});

test('no minute has more starts than allowed, in any order of requests', () => {
  const asks = fc.array(fc.record({ account: fc.nat(5), pauseMs: fc.nat(3_000) }), { maxLength: 300 });
  fc.assert(
    fc.property(asks, fc.integer({ min: 1, max: 20 }), (made, perMinute) => {
      const pace = new TokenBucket(perMinute);
      const at: number[] = [];
      let now = 0;
      for (const { account, pauseMs } of made) {
        now += pauseMs;
        if (pace.startsAt(now, 0, account) > now) continue;
        pace.start(dialled(account, now));
        at.push(now);
        expect(at.filter((ms) => ms > now - 60_000).length).toBeLessThanOrEqual(perMinute);
      }
    }),
  );
});

test('an occasional account overtakes a queue, fifteen times a minute', () => {
  const pace = new TokenBucket(100);
  let served = 0;
  for (let now = 0; now < 60_000; now += 100) {
    if (pace.startsAt(now) <= now) pace.start(dialled(1, now));
    if (now % 2_000 !== 0 || pace.startsAt(now, 0, 2) > now) continue;
    pace.start(dialled(2, now));
    served += 1;
  }
  expect(served).toBeGreaterThanOrEqual(15);
  expect(served).toBeLessThan(20);
});
