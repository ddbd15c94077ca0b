import { expect, it } from 'vitest';
import { Rate } from './rate.ts';

it('says nothing before it has seen two seconds', () => {
  const rate = new Rate();
  rate.addSample(0, 0);
  rate.addSample(1_000, 500);
  expect(rate.perMinute).toBeNull();
  expect(rate.secondsFor(100)).toBeNull();
});

it('follows the last half minute, and forgets how it began', () => {
  const rate = new Rate();
  for (let second = 0; second <= 60; second += 1)
    rate.addSample(second * 1_000, second < 30 ? second : 30 + (second - 30) * 10);
  expect(rate.perMinute).toBeCloseTo(600, -1);
  expect(rate.secondsFor(100)).toBeCloseTo(10, 0);
});

it('says no speed after five seconds without an answer, however fast they came before', () => {
  const rate = new Rate();
  for (let second = 0; second <= 12; second += 1) rate.addSample(second * 1_000, Math.min(second, 4) * 500);
  expect([rate.perMinute, rate.secondsFor(100)]).toEqual([0, null]);
  rate.addSample(13_000, 2_100);
  expect(rate.perMinute).toBeGreaterThan(0);
});

it('does not promise an end while nothing comes', () => {
  const rate = new Rate();
  rate.addSample(0, 10);
  rate.addSample(5_000, 10);
  expect(rate.secondsFor(5)).toBeNull();
});
