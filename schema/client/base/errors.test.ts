import { expect, test } from 'vitest';
import { resultOf } from '../testing/scripted-service.ts';
import { RcptError } from './errors.ts';

test('missing details are null', () => {
  const error = new RcptError('CONNECTION', 'It broke.');
  expect(error).toMatchObject({ name: 'RcptError', code: 'CONNECTION', message: 'It broke.', results: [] });
  const { status, requestId, creditsNeeded, creditsLeft, cause } = error;
  expect([status, requestId, creditsNeeded, creditsLeft, cause]).toEqual([null, null, null, null, undefined]);
});

test('with() adds details and keeps the others', () => {
  const cause = new Error('why');
  const known = {
    status: 402,
    requestId: 'r',
    creditsNeeded: 3,
    creditsLeft: 1,
    results: [resultOf('a@x.test')],
    cause,
  };
  const error = new RcptError('NO_CREDITS', 'Too few.', known);
  expect(error.with({ creditsNeeded: 7 })).toMatchObject({ ...known, code: 'NO_CREDITS', creditsNeeded: 7 });
  expect(error.with({}).cause).toBe(cause);
  expect(error.with({}).message).toBe('Too few.');
});

test.each([
  ['CONNECTION', null, true, /network/],
  ['UNAUTHORIZED', 401, false, /key/i],
  // Of a newer service.
  ['ACCOUNT_PAUSED', 402, false, /See the message/],
  ['BUSY_ELSEWHERE', 429, true, /./],
  ['BUSY_ELSEWHERE', 430, false, /See the message/],
  ['SHARD_GONE', 500, true, /./],
  ['SHARD_GONE', 499, false, /See the message/],
  ['SHARD_GONE', null, false, /See the message/],
])('%s with status %s: retryable %s, and what to do', (code, status, retryable, words) => {
  const error = new RcptError(code, 'It went wrong.', { status });
  expect(error.retryable).toBe(retryable);
  expect(error.whatToDo).toMatch(words);
});
