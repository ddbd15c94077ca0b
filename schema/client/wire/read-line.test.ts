import { expect, test } from 'vitest';
import { resultOf } from '../testing/scripted-service.ts';
import { readLine, readResult } from './read-line.ts';

const { did_you_mean: _none, ...OLDER } = resultOf('a@x.test');

test('a field that an older service does not have is null, and any other that is missing is refused', () => {
  expect(readResult(OLDER, ['did_you_mean'])).toEqual({ ...OLDER, did_you_mean: null });
  expect(readResult({ ...OLDER, did_you_mean: 'a@y.test' }, ['did_you_mean'])).toMatchObject({
    did_you_mean: 'a@y.test',
  });
  expect(readResult(OLDER)).toBe(null);
});

test.each([
  ['{"index":0}', 'not_known'],
  ['{"done":true}', 'not_known'],
  ['{"index":0,"done":true,"charged":1,"returned":0}', 'closing'],
  ['{"kind":"progress"}', 'other'],
  ['{}', 'other'],
  ['[]', 'not_known'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 'dormant' }), 'element'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 'zwei Wörter: 4.x.x' }), 'element'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 'x'.repeat(256) }), 'element'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 'x'.repeat(257) }), 'not_known'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: ' ' }), 'not_known'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 'clear\u001B[2J' }), 'not_known'],
  [JSON.stringify({ index: 0, ...resultOf('a@x.test'), status: 7 }), 'not_known'],
  [JSON.stringify({ index: 0, ...OLDER }), 'not_known'],
])('%s is a line of the kind %s', (text, kind) => {
  expect(readLine(text).kind).toBe(kind);
});
