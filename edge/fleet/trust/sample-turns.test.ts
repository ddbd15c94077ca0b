import { expect, it } from 'vitest';
import { SampleTurns } from './sample-turns.ts';

/** Lehmer's generator: the same lots in every run. */
function lots(): () => number {
  let state = 48_271;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The distances between samples among this many answers of a host with which so many agreed. */
function distances(turns: SampleTurns, answers: number, agreed: (samples: number) => number, host = 'a'): number[] {
  const found: number[] = [];
  let last = 0;
  for (let n = 1; n <= answers; n += 1) {
    if (!turns.isNext(host, agreed(found.length))) continue;
    found.push(n - last);
    last = n;
  }
  return found;
}

it('samples one answer in fifty of a host with which others agree, never two apart by a hundred, and not by turns', () => {
  const found = distances(new SampleTurns(50, lots()), 100_000, () => 1_000);
  expect(found.length / 100_000).toBeCloseTo(1 / 50, 3);
  expect(Math.max(...found)).toBeLessThan(100);
  expect(new Set(found).size).toBeGreaterThan(90);
});

it('samples a host that nobody agreed with yet at once, and then less and less', () => {
  const found = distances(new SampleTurns(50, lots()), 2_000, (samples) => samples);
  expect(found[0]).toBe(1);
  const of = (from: number, to: number): number => found.slice(from, to).reduce((sum, one) => sum + one, 0);
  expect(of(0, 10)).toBeLessThan(of(10, 20));
  expect(of(10, 20)).toBeLessThan(of(30, 40));
});

it('samples no more than a hundred answers and one in a hundred besides, whatever is found out about hosts', () => {
  const found = distances(new SampleTurns(50, lots()), 20_000, () => 0);
  expect(found.length).toBeLessThan(100 + 20_000 / 50 + 20_000 / 100 + 10);
});

it('samples every answer if every one is to be compared', () => {
  expect(distances(new SampleTurns(1, lots()), 10, () => 1_000)).toEqual(Array.from({ length: 10 }, () => 1));
});

it('keeps the hosts apart, and not more than a thousand', () => {
  const turns = new SampleTurns(50, () => 0.999);
  for (let n = 0; n < 98; n += 1) expect(turns.isNext('a', 1_000)).toBe(false);
  for (let n = 0; n < 999; n += 1) turns.isNext(`b${n}`, 1_000);
  expect(turns.isNext('a', 1_000)).toBe(true);
  for (let n = 0; n < 98; n += 1) turns.isNext('a', 1_000);
  for (let n = 0; n < 1_000; n += 1) turns.isNext(`c${n}`, 1_000);
  expect(turns.isNext('a', 1_000)).toBe(false);
});
