import { expect, test } from 'vitest';
import { RcptError } from './errors.ts';

test.each([
  ['CONNECTION', null, true, /network/],
  ['UNAUTHORIZED', 401, false, /key/i],
  // Of a newer service.
  ['ACCOUNT_PAUSED', 402, false, /See the message/],
  ['BUSY_ELSEWHERE', 429, true, /./],
  ['SHARD_GONE', 500, true, /./],
  ['SHARD_GONE', 499, false, /See the message/],
])('%s with status %s: retryable %s, and what to do', (code, status, retryable, words) => {
  const error = new RcptError(code, 'It went wrong.', { status });
  expect(error.retryable).toBe(retryable);
  expect(error.whatToDo).toMatch(words);
});
