import { describe, expect, test } from 'vitest';
import { RcptError } from '../base/errors.ts';
import type { CallResult } from '../wire/call.ts';
import { stepAfter } from './step.ts';

const called = (result: Partial<CallResult>): CallResult => ({
  error: null,
  bill: null,
  isRefused: false,
  chargedBefore: null,
  retryAfterMs: 0,
  ...result,
});
const refused = (code: string, status: number, chargedBefore: number | null = null): CallResult =>
  called({ error: new RcptError(code, 'no', { status }), isRefused: true, chargedBefore });

const FIRST = { entries: 10, unanswered: 10, lost: 0 };
const AGAIN = { entries: 10, unanswered: 4, lost: 1 };

describe('the cost of a request', () => {
  test.each([
    ['is its bill', FIRST, 0, { charged: 7, returned: 3, unsure: 0 }],
    ['is its bill and what was charged before', AGAIN, 2, { charged: 9, returned: 3, unsure: 0 }],
    [
      'is in full doubt for each lost attempt if the service knows no keys',
      { ...AGAIN, lost: 2 },
      null,
      { charged: 7, returned: 3, unsure: 20 },
    ],
    ['may be all of its entries', AGAIN, 3, { charged: 10, returned: 3, unsure: 0 }],
    ['cannot be more than its entries', AGAIN, 4, { charged: 7, returned: 3, unsure: 10 }],
  ])('%s', (_what, attempted, chargedBefore, cost) => {
    const step = stepAfter(attempted, called({ bill: { charged: 7, returned: 3 }, chargedBefore }));
    expect(step).toEqual({ kind: 'done', cost });
  });
});

test.each([
  ['RATE_LIMITED', 429],
  ['NO_CREDITS', 402],
  ['IDEMPOTENCY_EXHAUSTED', 429],
  ['BODY_TOO_LARGE', 413],
])('a first attempt refused with %s is free', (code, status) => {
  expect(stepAfter(FIRST, refused(code, status))).toEqual({ kind: 'free' });
});

test.each([
  ['RATE_LIMITED', 429, { kind: 'repeat', isLost: false }],
  ['INTERNAL_ERROR', 500, { kind: 'repeat', isLost: false }],
  ['NO_CREDITS', 402, { kind: 'open' }],
  ['UNAUTHORIZED', 401, { kind: 'open' }],
  ['IDEMPOTENCY_IN_PROGRESS', 409, { kind: 'wait' }],
])('a repetition refused with %s', (code, status, step) => {
  expect(stepAfter(AGAIN, refused(code, status))).toEqual(step);
});

test.each([
  ['TOO_MANY', 400],
  ['BODY_TOO_LARGE', 413],
])('a body refused with %s before any result was never charged', (code, status) => {
  expect(stepAfter({ ...AGAIN, unanswered: 10 }, refused(code, status))).toEqual({ kind: 'free' });
});

test.each([
  ['IDEMPOTENCY_MISMATCH', 422],
  ['IDEMPOTENCY_EXHAUSTED', 429],
  ['INVALID_INPUT', 400],
  ['BODY_TOO_LARGE', 413],
])('a repetition refused with %s is the last one, at the known cost', (code, status) => {
  const unsure = { charged: 0, returned: 0, unsure: 10 };
  expect(stepAfter(AGAIN, refused(code, status))).toEqual({ kind: 'lapsed', cost: unsure, isPaidTwice: true });
  const known = { charged: 6, returned: 0, unsure: 0 };
  expect(stepAfter(AGAIN, refused(code, status, 6))).toEqual({ kind: 'lapsed', cost: known, isPaidTwice: true });
  expect(stepAfter(AGAIN, refused(code, status, 0))).toMatchObject({ kind: 'lapsed', isPaidTwice: false });
  expect(stepAfter(AGAIN, refused(code, status, 99))).toMatchObject({ cost: { charged: 10, unsure: 0 } });
  const answered = { ...AGAIN, unanswered: 0 };
  expect(stepAfter(answered, refused(code, status))).toMatchObject({ cost: unsure, isPaidTwice: false });
});

test('an attempt without a bill may have been charged', () => {
  const error = new RcptError('INCOMPLETE', 'ended');
  expect(stepAfter(FIRST, called({ error }))).toEqual({ kind: 'repeat', isLost: true });
  const bill = { charged: 7, returned: 3 };
  expect(stepAfter(FIRST, called({ error, bill }))).toEqual({ kind: 'repeat', isLost: false });
});
