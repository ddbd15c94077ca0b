import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Speed } from './speed.ts';

const TOTAL = 1_000;

/** What is said to be left each second, in seconds, of a run of so many answers by then. */
function leftOf(doneAt: (second: number) => number, seconds: number, total = TOTAL): readonly (number | null)[] {
  const speed = new Speed(0);
  return Array.from({ length: seconds }, (_, second) => {
    const done = Math.min(total, doneAt(second));
    speed.note(second * 1_000, done, total - done);
    const left = speed.leftS(second * 1_000);
    return left === null ? null : Math.round(left);
  });
}

/** How often a number is followed by a larger one. */
function growths(said: readonly (number | null)[]): number {
  const numbers = said.filter((left) => left !== null);
  return numbers.filter((left, at) => at > 0 && left > (numbers[at - 1] ?? Infinity)).length;
}

test('a steady run counts down to its end', () => {
  const said = leftOf((second) => second * 10, 100);
  expect([said[1], said[2], said[50], said[99]]).toEqual([null, 98, 50, 1]);
  expect(growths(said)).toBe(0);
});

test.each<[string, (second: number) => number]>([
  ['that waits for its last answers', (second) => Math.min(980, second * 100)],
  ['whose answers come in heaps', (second) => Math.floor(second / 8) * 300],
  ['of one answer now and then', (second) => Math.floor(second / 5)],
  ['that slows down', (second) => Math.sqrt(second) * 60],
  ['that stops', (second) => Math.min(300, second * 30)],
  ['with a burst at first', (second) => (second < 3 ? second * 250 : 600 + second)],
  ['that has no answer at all', () => 0],
])('a run %s never says that a short wait has grown', (_kind, doneAt) => {
  for (const seconds of [25, 60]) expect(growths(leftOf(doneAt, seconds).filter((left) => (left ?? 99) < 60))).toBe(0);
});

test('in any run the estimate grows once in half a minute at most, and only to a minute or more', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { minLength: 150, maxLength: 150 }), (each) => {
      let sum = 0;
      const sums = each.map((count) => (sum += count));
      const said = leftOf((second) => sums[second] ?? sum, each.length, 9_000);
      expect(growths(said)).toBeLessThanOrEqual(each.length / 30);
      said.forEach((left, at) => {
        if (left !== null && left > (said[at - 1] ?? Infinity)) expect(left).toBeGreaterThanOrEqual(60);
      });
    }),
  );
});

test('a long run that has become slower says so', () => {
  const said = leftOf((second) => (second < 60 ? second * 100 : 6_000 + (second - 60) * 5), 240, 60_000);
  expect(said[59]).toBeLessThan(550);
  expect(said[239]).toBeGreaterThan(1_000);
});
