import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const read = (headers: Record<string, string>): number => readRetryAfterMs(new Headers(headers), NOW);

test.each([
  [{}, 0],
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': ' 7 ' }, 7_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '0.0001' }, 1],
  [{ 'retry-after': 'Sun, 22 Nov 2026 12:01:30 GMT' }, 90_000],
  [{ 'retry-after': 'Sun, 22 Nov 2026 12:01:30 GMT', date: 'Sun, 22 Nov 2026 12:01:00 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 22 Nov 2026 11:59:59 GMT' }, 0],
  [{ 'retry-after': 'Sun, 99 Foo 2026 11:59:59 GMT' }, 0],
  [{ 'retry-after': '-1' }, 0],
  [{ 'retry-after': '1e9' }, 0],
  [{ 'retry-after': '2026-11-22T12:01:00Z' }, 0],
])('%j asks for %i ms', (headers, waitMs) => {
  expect(read(headers)).toBe(waitMs);
});

test('nothing that a header can say is negative, or no number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), (text) => {
      const waitMs = read({ 'retry-after': text });
      expect(Number.isFinite(waitMs) && waitMs >= 0).toBe(true);
    }),
  );
});
