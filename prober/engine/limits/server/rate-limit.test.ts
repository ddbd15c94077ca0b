import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

/** When each of the starts is, for a client that never pauses. */
function startsOf(rate: RateLimit, count: number, from = 0): number[] {
  const starts: number[] = [];
  for (let now = from; starts.length < count; now = Math.max(now, rate.readyAt(now))) {
    rate.countStart(now);
    starts.push(now);
  }
  return starts;
}

test('of a hundred a minute thirty come at once, forty within ten seconds, and a hundred and fifty within ninety', () => {
  const starts = startsOf(new RateLimit(100), 150);
  expect(starts[29]).toBe(0);
  expect(starts[30]).toBeGreaterThan(0);
  expect(starts[39]).toBeLessThan(10_000);
  expect(starts[149]).toBeLessThan(90_000);
});

test('a newcomer waits no longer than eleven seconds for the next start', () => {
  const starts = startsOf(new RateLimit(100), 1_000);
  const waits = starts.map((start, i) => start - (starts[i - 1] ?? 0));
  expect(Math.max(...waits)).toBeLessThan(11_000);
});

test('no minute sees more than it may, whenever the starts are wanted', () => {
  const perMinute = fc.integer({ min: 1, max: 120 });
  const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(70_000)), { maxLength: 400 });
  fc.assert(
    fc.property(perMinute, pauses, (most, wanted) => {
      const rate = new RateLimit(most);
      const starts: number[] = [];
      let now = 0;
      for (const pause of wanted) {
        now = Math.max(now + pause, rate.readyAt(now));
        rate.countStart(now);
        starts.push(now);
      }
      for (const [i, start] of starts.entries()) {
        const after = starts[i + most];
        if (after !== undefined) expect(after - start).toBeGreaterThan(59_999.9);
      }
    }),
  );
});

test('it is as good as new once the minute is over, and not before', () => {
  const rate = new RateLimit(100);
  startsOf(rate, 30);
  expect([rate.isForgettable(59_999), rate.isForgettable(60_000)]).toEqual([false, true]);
});

test('without a limit nobody waits', () => {
  const rate = new RateLimit(Infinity);
  expect(startsOf(rate, 1_000).at(-1)).toBe(0);
});

test('a server that puts one off right after it accepted a crowd is asked as often as it has borne, and then a little more', () => {
  const rate = new RateLimit(100);
  for (const now of startsOf(rate, 30)) rate.accept(now);
  rate.countStart(800);
  expect(rate.defer('opening', 800)).toBe(true);
  expect([rate.allowedAt(800), rate.allowedAt(60_800), rate.allowedAt(660_800)]).toEqual([30, 31, 41]);
  expect(rate.readyAt(800)).toBe(60_000);
  expect(rate.isForgettable(600_000)).toBe(false);
  const starts = startsOf(rate, 120, 60_000);
  for (const [i, start] of starts.entries()) expect((starts[i + 40] ?? Infinity) - start).toBeGreaterThan(59_000);
});

test('a server that puts off everyone, without a crowd before it, is believed; and so is one that does it for long', () => {
  const rate = new RateLimit(100);
  for (const now of [0, 1]) rate.accept(now);
  expect([rate.defer('opening', 2), rate.allowedAt(2)]).toEqual([false, 100]);
  rate.accept(3);
  expect([rate.defer('opening', 4), rate.allowedAt(4)]).toEqual([true, 3]);
  expect([rate.defer('opening', 100_000), rate.defer('opening', 900_002), rate.defer('opening', 900_003)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a server that puts one off at MAIL or RCPT is believed until it has served a crowd, and has then borne all but that one', () => {
  const rate = new RateLimit(100);
  for (const now of startsOf(rate, 30)) rate.accept(now);
  expect([rate.defer('mail', 800), rate.allowedAt(800)]).toEqual([false, 100]);
  for (const now of [801, 802, 803]) rate.serve(now);
  expect([rate.defer('rcpt', 804), rate.allowedAt(804)]).toEqual([true, 100]);
  expect([rate.defer('mail', 804), rate.allowedAt(804)]).toEqual([true, 29]);
  expect([rate.defer('mail', 900_802), rate.defer('mail', 900_803)]).toEqual([true, false]);
});

test('when one of many may start that wait is told, and it is then that it does', () => {
  const rate = new RateLimit(100);
  for (const now of startsOf(rate, 30)) rate.accept(now);
  rate.defer('opening', 800);
  const told = Array.from({ length: 20 }, (_, behind) => rate.reachedAt(behind, 800));
  const starts = startsOf(rate, 20, 60_000);
  for (const [at, start] of starts.entries()) expect(told[at]).toBeLessThanOrEqual(start + 0.1);
  expect(told[0]).toBe(60_000);
  expect(told[19]).toBeGreaterThan(60_000);
});
