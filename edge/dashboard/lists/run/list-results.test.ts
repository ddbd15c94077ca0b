import { expect, it } from 'vitest';
import { notAnAddress, type OpenResult } from '../../../../schema/words/result.ts';
import { ListResults } from './list-results.ts';

const INVALID = notAnAddress('x');
const VALID: OpenResult = { ...INVALID, result: 'deliverable', status: 'valid', reason: null, score: 95 };
const LATER: OpenResult = {
  ...INVALID,
  result: 'unknown',
  status: 'unknown',
  reason: 'greylisting',
  retry_after: 300,
};

it('counts by status, and knows how many are left or deferred', () => {
  const results = new ListResults(4);
  results.set(0, VALID);
  results.set(1, LATER);
  results.set(3, INVALID);
  expect(Object.fromEntries(results.counts)).toEqual({ valid: 1, risky: 0, invalid: 1, unknown: 1 });
  expect([results.size, results.answered, results.waiting]).toEqual([4, 3, 1]);
  expect([0, 1, 2, 3].map((index) => results.kindOf(index) === null)).toEqual([false, false, true, false]);
});

it('replaces the first answer for an address by the later one', () => {
  const results = new ListResults(1);
  results.set(0, LATER);
  results.set(0, VALID);
  expect(Object.fromEntries(results.counts)).toEqual({ valid: 1, risky: 0, invalid: 0, unknown: 0 });
  expect([results.answered, results.waiting]).toEqual([1, 0]);
});

it('tells a role from a person of the same status', () => {
  const results = new ListResults(2);
  results.set(0, { ...VALID, status: 'risky', role_based: true });
  results.set(1, { ...VALID, status: 'risky', disposable: true });
  expect(results.kindOf(0)).not.toBe(results.kindOf(1));
});

it('ignores an answer for an address that is not in the list', () => {
  const results = new ListResults(1);
  results.set(1, VALID);
  expect(results.answered).toBe(0);
});

it("counts a newer service's status after the known ones, and tells its reasons apart", () => {
  const results = new ListResults(3);
  results.set(0, { ...VALID, status: 'dormant', reason: 'not_yet_known' });
  results.set(1, { ...VALID, status: 'dormant', reason: 'mailbox_closed' });
  results.set(2, VALID);
  expect([...results.counts]).toEqual([
    ['valid', 1],
    ['risky', 0],
    ['invalid', 0],
    ['unknown', 0],
    ['dormant', 2],
  ]);
  expect(results.kindOf(0)).not.toBe(results.kindOf(1));
});
