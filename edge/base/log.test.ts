import { describe, expect, it } from 'vitest';
import { describe as describeError } from './log.ts';

describe('describe', () => {
  it.each([
    ['D1_ERROR: no such table: accounts: SQLITE_ERROR', 'D1_ERROR: no such table: accounts: SQLITE_ERROR'],
    ['Network connection lost.', 'Network connection lost.'],
    ['Cannot read someone@example.com now', 'Cannot read … now'],
    ['Invalid URL: http://example.com/', 'Invalid URL: …'],
    ['"a@b" is not valid JSON', '… is not valid JSON'],
    ['refused svc_live_0123456789abcdefghij', 'refused …'],
    ['Failed query: insert into t values (?)\nparams: 1795,Ann Example', 'Failed query: insert into t values (?)'],
    ['lookup of mail.example.com. failed', 'lookup of … failed'],
  ])('shows of "%s" only what identifies no one', (message, shown) => {
    expect(describeError(new Error(message)).message).toBe(shown);
  });

  it('truncates a long message, and shows only the type of what is not an error', () => {
    expect(describeError(new Error('a '.repeat(1000))).message.length).toBeLessThanOrEqual(200);
    expect(describeError('someone@example.com')).toEqual({ error: 'string', message: '' });
  });
});
