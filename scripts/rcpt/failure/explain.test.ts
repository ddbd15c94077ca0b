import { expect, test } from 'vitest';
import { RcptError } from '../../../schema/client/index.ts';
import { explain } from './explain.ts';

test.each([
  ['UNAUTHORIZED', 401, 'key'],
  ['NO_CREDITS', 402, 'credits'],
  ['INVALID_INPUT', 400, 'usage'],
  ['CONNECTION', null, 'service'],
  ['JOURNAL_BROKEN', null, 'output'],
  ['LIST_CHANGED', null, 'usage'],
  // Of a newer service: the status tells.
  ['ACCOUNT_PAUSED', 400, 'usage'],
  ['ACCOUNT_PAUSED', 401, 'key'],
  ['ACCOUNT_PAUSED', 402, 'credits'],
  ['ACCOUNT_PAUSED', 403, 'key'],
  ['ACCOUNT_PAUSED', 418, 'service'],
  ['ACCOUNT_PAUSED', null, 'service'],
])('%s with status %s ends the command as %s', (code, status, ending) => {
  expect(explain(new RcptError(code, 'Words.', { status })).ending).toBe(ending);
});

test('a failure is one line: the message, the request and what to do', () => {
  const error = new RcptError('INTERNAL_ERROR', 'It\n broke \u001B[2J. .', { status: 500, requestId: 'req_1' });
  const failure = explain(error);
  expect(failure.message).toBe('It broke [2J (request req_1). Try again later; if it persists, tell the operator.');
  expect(failure.cause).toBe(error);
  expect(explain(new RcptError('TIMEOUT', 'Late')).message).toBe('Late. Try again later.');
  const [full, foreign] = [{ cause: new Error('ENOSPC') }, {}].map(
    (more) => new RcptError('JOURNAL_BROKEN', 'It', more),
  );
  expect([explain(full).message, explain(foreign).message]).toEqual([
    'It. Free disk space and check the permissions, then continue with --resume.',
    'It. Move that file elsewhere, then run the same command without --resume.',
  ]);
  // Of a code that is new the service's words are all there is, unless its status says that it passes.
  const newer = [410, 503].map((status) => explain(new RcptError('SHARD_GONE', 'It is gone', { status })).message);
  expect(newer).toEqual([
    'It is gone.',
    'It is gone. Try again later; if it persists, give the operator the request id.',
  ]);
});
