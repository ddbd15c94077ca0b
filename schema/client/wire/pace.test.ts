import { expect, test } from 'vitest';
import { readRetryAfterMs } from './headers.ts';
import { Pace } from './pace.ts';
import { SYSTEM_CLOCK } from '../base/clock.ts';

const paced = (): Pace => new Pace({ ...SYSTEM_CLOCK, now: () => 0, random: () => 0.5 });

const NOW = 'Sun, 06 Nov 1994 08:49:37 GMT';

test.each([
  ['120', null, 120],
  ['999999999', null, 300],
  ['Sun, 06 Nov 1994 08:51:37 GMT', NOW, 120],
  ['Sunday, 06-Nov-94 08:51:37 GMT', NOW, 120],
  ['Sun Nov  6 08:51:37 1994', NOW, 120],
  // The local clock, where the service does not say its own.
  ['Sun, 06 Nov 1994 08:51:37 GMT', null, 120],
  ['Tue, 06 Nov 2094 08:51:37 GMT', NOW, 300],
  ['Sun, 06 Nov 1994 08:40:00 GMT', NOW, 0],
  ['soon', NOW, 0],
  ['-5', NOW, 0],
  ['1.5', NOW, 0],
  ['', NOW, 0],
])('Retry-After: %j at %j is a wait of %i s, five minutes at most', (text, date, seconds) => {
  const headers = new Headers({ 'retry-after': text, ...(date === null ? {} : { date }) });
  expect(readRetryAfterMs(headers, Date.parse(NOW))).toBe(seconds * 1_000);
});

test('back-off doubles up to 30 s, and the wait that the service asks for comes on top', () => {
  const pauses = [1, 2, 3, 4, 7, 8, 500].map((failures) => {
    const pace = paced();
    pace.rest(failures, 0);
    return pace.nextMs;
  });
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 15_000, 15_000, 15_000]);
  const asked = paced();
  asked.rest(1, 7_000);
  expect(asked.nextMs).toBe(7_250);
});
