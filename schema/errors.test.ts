import { expect, it } from 'vitest';
import { RequestError } from './errors.ts';

it('a refusal is an Error without a stack, and later errors have theirs', () => {
  const cause = new Error('why');
  const refusal = new RequestError('RATE_LIMITED', 'Too many.', { 'retry-after': '1' }, cause);
  expect(refusal).toBeInstanceOf(Error);
  expect(refusal).toMatchObject({ name: 'RequestError', message: 'Too many.', failure: 'RATE_LIMITED', cause });
  expect(refusal.stack).not.toContain('\n    at ');
  expect(new Error('later').stack).toContain('\n    at ');
});
