import { describe, expect, test } from 'vitest';
import { type Point, slopeOf } from './slope.ts';

/** Scatter that is the same in every run: between -1 and 1. */
const scatter = (n: number): number => Math.sin(n * 12.9898) * Math.cos(n * 78.233);
const points = (value: (minute: number) => number): readonly Point[] =>
  Array.from({ length: 60 }, (_, minute) => ({ s: minute * 60, value: value(minute) }));

describe('slopeOf', () => {
  test('a straight line has its slope, without error', () => {
    const slope = slopeOf(points((minute) => 100 + minute));
    expect(slope.perHour).toBeCloseTo(60);
    expect(slope.error).toBeCloseTo(0);
    expect(slope.grows).toBe(true);
  });

  test.each<[string, boolean, (minute: number) => number]>([
    ['stands still with scatter', false, (minute) => 100 + 10 * scatter(minute)],
    ['falls', false, (minute) => 100 - minute],
    ['grows through scatter', true, (minute) => 100 + minute + 10 * scatter(minute)],
    ['grows by a trifle', false, (minute) => 1_000 + minute / 10],
    ['jumps up and down like a heap', false, (minute) => 100 + (minute % 7) * 5],
    ['leaks like a heap that is collected', true, (minute) => 100 + (minute % 7) * 5 + minute],
  ])('what %s: grows is %s', (_what, grows, value) => {
    expect(slopeOf(points(value)).grows).toBe(grows);
  });
});
