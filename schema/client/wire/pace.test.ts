import { expect, test } from 'vitest';
import { Pace } from './pace.ts';
import { SYSTEM_CLOCK } from '../base/clock.ts';

// When a request may begin, by the headers of the answers so far.

class Paced {
  nowMs = 0;
  readonly pace = new Pace({ ...SYSTEM_CLOCK, now: () => this.nowMs, random: () => 0.5 });

  /** Begins as many as may begin now, at most `most`. */
  begin(most: number): number {
    let begun = 0;
    for (; begun < most && this.pace.nextMs <= this.nowMs; begun += 1) this.pace.begin();
    return begun;
  }

  hear(remaining: number, reset: number): void {
    const left = { 'ratelimit-limit': '60', 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': `${reset}` };
    this.pace.hear(new Headers(left));
  }
}

test('nothing is held back while the service names no limit', () => {
  const key = new Paced();
  expect(key.begin(1_000)).toBe(1_000);
  for (let n = 0; n < 1_000; n += 1) key.pace.hear(null);
  expect(key.pace.nextMs).toBe(0);
});

test('no more begin than the window has left, those on their way counted, until it turns', () => {
  const key = new Paced();
  expect(key.begin(4)).toBe(4);
  key.hear(10, 30);
  // Three are on their way, and may not be counted yet.
  expect(key.begin(100)).toBe(7);
  expect(key.pace.nextMs).toBe(30_000);
  for (let n = 9; n >= 0; n -= 1) key.hear(n, 30);
  expect(key.begin(1)).toBe(0);
  key.nowMs = 29_999;
  expect(key.begin(1)).toBe(0);
  key.nowMs = 30_000;
  expect(key.begin(100)).toBe(60);
});

test('an answer of a window that ends later is one of a new window, though ours has not turned', () => {
  const key = new Paced();
  key.begin(1);
  key.hear(0, 10);
  key.nowMs = 9_000;
  key.pace.begin();
  key.hear(50, 60);
  expect(key.begin(100)).toBe(50);
  expect(key.pace.nextMs).toBe(69_000);
});

test('a window that turns by itself counts those on their way, and ends with the latest of its answers', () => {
  const key = new Paced();
  key.begin(2);
  key.hear(9, 30);
  key.nowMs = 500;
  key.hear(9, 30);
  key.begin(4);
  key.nowMs = 30_499;
  expect(key.begin(100)).toBe(4);
  key.nowMs = 30_500;
  expect(key.begin(100)).toBe(52);
});

test('an older answer that comes late gives nothing back', () => {
  const key = new Paced();
  key.begin(2);
  key.hear(0, 20);
  key.hear(50, 20);
  expect(key.begin(1)).toBe(0);
});

test('others with the same key are noticed by what is left', () => {
  const key = new Paced();
  key.begin(1);
  key.hear(59, 60);
  key.begin(1);
  key.hear(3, 55);
  expect(key.begin(100)).toBe(3);
});

test('Retry-After is kept, with jitter behind it and never before it', () => {
  const key = new Paced();
  key.pace.rest(1, 7_000);
  expect(key.pace.nextMs).toBe(7_250);
  key.pace.rest(1, 0);
  expect(key.pace.nextMs).toBe(7_250);
});

test('back-off doubles up to half a minute, and Retry-After counts for at most five minutes', () => {
  const pauses = [1, 2, 3, 4, 7, 8, 500].map((failures) => {
    const key = new Paced();
    key.pace.rest(failures, 0);
    return key.pace.nextMs;
  });
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 15_000, 15_000, 15_000]);
  const hostile = new Paced();
  hostile.pace.rest(1, 999_999_999_000);
  expect(hostile.pace.nextMs).toBe(300_250);
});

test.each(['-1', 'x', '1e9', '', '60;w=60', '99999999999'])('a header that says %j is not believed', (text) => {
  const key = new Paced();
  key.begin(1);
  key.pace.hear(new Headers({ 'ratelimit-limit': text, 'ratelimit-remaining': '0', 'ratelimit-reset': '60' }));
  expect(key.begin(5)).toBe(5);
});
