import { expect, test } from 'vitest';
import { Pace } from './pace.ts';
import { SYSTEM_CLOCK } from '../base/clock.ts';

// When a request may begin, by the headers of the answers so far.

class Paced {
  nowMs = 0;
  readonly pace = new Pace({ ...SYSTEM_CLOCK, now: () => this.nowMs, random: () => 0.5 });

  readonly #open: ReturnType<Pace['begin']>[] = [];

  /** Begins as many as may begin now, at most `most`. */
  begin(most: number): number {
    let begun = 0;
    for (; begun < most && this.pace.nextMs <= this.nowMs; begun += 1) this.#open.push(this.pace.begin());
    return begun;
  }

  answer(headers: Readonly<Record<string, string>>): void {
    this.#open.shift()?.(new Headers(headers));
  }

  note(remaining: number, reset: number): void {
    this.answer({ 'ratelimit-limit': '60', 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': `${reset}` });
  }
}

test('no more requests begin than the window allows, those in flight included, until it ends', () => {
  const key = new Paced();
  expect(key.begin(4)).toBe(4);
  key.note(10, 30);
  // Three are on their way, and may not be counted yet.
  expect(key.begin(100)).toBe(7);
  expect(key.pace.nextMs).toBe(30_000);
  for (let n = 9; n >= 0; n -= 1) key.note(n, 30);
  expect(key.begin(1)).toBe(0);
  key.nowMs = 29_999;
  expect(key.begin(1)).toBe(0);
  key.nowMs = 30_000;
  expect(key.begin(100)).toBe(60);
});

test('a new window counts requests in flight, and ends with its latest response', () => {
  const key = new Paced();
  key.begin(2);
  key.note(9, 30);
  key.nowMs = 500;
  key.note(9, 30);
  key.begin(4);
  key.nowMs = 30_499;
  expect(key.begin(100)).toBe(4);
  key.nowMs = 30_500;
  expect(key.begin(100)).toBe(52);
});

test('back-off doubles up to 30 s, and Retry-After is capped at five minutes', () => {
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

test.each(['-1', 'x', '1e9', '', '60;w=60', '99999999999'])('a limit of %j is ignored', (text) => {
  const key = new Paced();
  key.begin(1);
  key.answer({ 'ratelimit-limit': text, 'ratelimit-remaining': '0', 'ratelimit-reset': '60' });
  expect(key.begin(5)).toBe(5);
});
