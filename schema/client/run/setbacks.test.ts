import { expect, test } from 'vitest';
import { RcptError } from '../base/errors.ts';
import { Setbacks } from './setbacks.ts';

const entries = (count: number, bytes = 10) =>
  Array.from({ length: count }, () => ({ bytes, failures: 0, failedAt: 0 }));
const failed = (code: string, status: number): RcptError => new RcptError(code, 'no', { status });
const BUSY = failed('RATE_LIMITED', 429);
const BROKEN = failed('INTERNAL_ERROR', 500);

test('a request that was too much is followed by half of it, in entries or in octets, and costs no try', () => {
  const setbacks = new Setbacks(0, true);
  expect(setbacks.room).toEqual({ entries: 500, bytes: 51_200 });
  const many = entries(301);
  expect(setbacks.remedyFor(failed('TOO_MANY', 400), many, many)).toEqual({ kind: 'go_on' });
  expect(setbacks.room).toEqual({ entries: 151, bytes: 51_200 });
  expect(setbacks.remedyFor(failed('BODY_TOO_LARGE', 413), many, many)).toEqual({ kind: 'go_on' });
  expect(setbacks.room).toEqual({ entries: 151, bytes: 1_505 });
  // A later answer to a larger request widens nothing.
  setbacks.remedyFor(failed('TOO_MANY', 400), entries(500), []);
  setbacks.remedyFor(failed('BODY_TOO_LARGE', 413), entries(500), []);
  expect(setbacks.room).toEqual({ entries: 151, bytes: 1_505 });
});

test('a request under a key of its own is not divided', () => {
  const setbacks = new Setbacks(0, false);
  expect(setbacks.remedyFor(failed('TOO_MANY', 400), entries(100), [])).toEqual({ kind: 'fail' });
  expect(setbacks.room.entries).toBe(500);
});

test('one entry that is too much for the service is too much', () => {
  const one = entries(1);
  expect(new Setbacks(5, true).remedyFor(failed('BODY_TOO_LARGE', 413), one, one)).toEqual({ kind: 'fail' });
  expect(new Setbacks(5, true).remedyFor(failed('UNAUTHORIZED', 401), entries(9), [])).toEqual({ kind: 'fail' });
});

test('a request that learns nothing is tried again as often as that, after a longer rest each time', () => {
  const setbacks = new Setbacks(2, true);
  const chunk = entries(3);
  const kinds = Array.from({ length: 3 }, () => setbacks.remedyFor(BROKEN, chunk, chunk));
  expect(kinds).toEqual([{ kind: 'rest', failures: 1 }, { kind: 'rest', failures: 2 }, { kind: 'fail' }]);
});

test('a request that learnt something counts for none of its entries', () => {
  const setbacks = new Setbacks(0, true);
  const chunk = entries(3);
  for (let n = 0; n < 9; n += 1)
    expect(setbacks.remedyFor(BROKEN, chunk, chunk.slice(1))).toEqual({ kind: 'rest', failures: 1 });
});

test('a full window is a matter of waiting while others are answered, and a failure while nobody is', () => {
  const setbacks = new Setbacks(1, true);
  const chunk = entries(2);
  for (let n = 0; n < 5; n += 1) {
    setbacks.noteFruitful();
    expect(setbacks.remedyFor(BUSY, chunk, chunk)).toEqual({ kind: 'rest', failures: 1 });
  }
  expect(setbacks.remedyFor(BUSY, chunk, chunk)).toEqual({ kind: 'fail' });
  const other = entries(2);
  setbacks.noteFruitful();
  expect(setbacks.remedyFor(BROKEN, other, other)).toEqual({ kind: 'rest', failures: 1 });
  setbacks.noteFruitful();
  expect(setbacks.remedyFor(BROKEN, other, other)).toEqual({ kind: 'fail' });
});
