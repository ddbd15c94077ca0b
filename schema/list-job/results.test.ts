import { expect, it } from 'vitest';
import { notAnAddress, type OpenResult } from '../words/result.ts';
import { Results } from './results.ts';
import { Scan } from './scan.ts';

const INVALID = notAnAddress('x');
const VALID: OpenResult = { ...INVALID, result: 'deliverable', status: 'valid', reason: null, score: 95 };
const LATER: OpenResult = {
  ...INVALID,
  result: 'unknown',
  status: 'unknown',
  reason: 'greylisting',
  retry_after: 300,
};

const once = (result: OpenResult) => ({ result, asked: 1 });

it('counts by status, and knows how many are left or deferred', () => {
  const results = new Results(4);
  results.set(0, once(VALID));
  results.set(1, once(LATER));
  results.set(3, once(INVALID));
  expect(Object.fromEntries(results.counts().verdicts)).toEqual({ valid: 1, risky: 0, invalid: 1, unknown: 1 });
  expect([results.size, results.answered, results.waiting]).toEqual([4, 3, 1]);
  expect([0, 1, 2, 3].map((index) => results.kindOf(index) === null)).toEqual([false, false, true, false]);
});

it('replaces the first answer for an address by the later one', () => {
  const results = new Results(1);
  results.set(0, once(LATER));
  results.set(0, once(VALID));
  expect(Object.fromEntries(results.counts().verdicts)).toEqual({ valid: 1, risky: 0, invalid: 0, unknown: 0 });
  expect([results.answered, results.waiting]).toEqual([1, 0]);
});

it('tells a role from a person of the same status', () => {
  const results = new Results(2);
  results.set(0, once({ ...VALID, status: 'risky', role_based: true }));
  results.set(1, once({ ...VALID, status: 'risky', disposable: true }));
  expect(results.kindOf(0)).not.toBe(results.kindOf(1));
});

it('ignores an answer for an address that is not in the list', () => {
  const results = new Results(1);
  results.set(1, once(VALID));
  expect(results.answered).toBe(0);
});

it("counts a newer service's status after the known ones, and tells its reasons apart", () => {
  const results = new Results(3);
  results.set(0, once({ ...VALID, status: 'dormant', reason: 'not_yet_known' }));
  results.set(1, once({ ...VALID, status: 'dormant', reason: 'mailbox_closed' }));
  results.set(2, once(VALID));
  expect([...results.counts().verdicts]).toEqual([
    ['valid', 1],
    ['risky', 0],
    ['invalid', 0],
    ['unknown', 0],
    ['dormant', 2],
  ]);
  expect(results.kindOf(0)).not.toBe(results.kindOf(1));
});

it('counts in rows too: an address counts wherever it stands', () => {
  const scan = new Scan(0, 1);
  for (const cell of ['a@x.test', 'b@x.test', 'A@x.test', '', 'c@x.test', 'b@x.test']) scan.add([cell]);
  const results = new Results(3);
  results.set(0, { result: VALID, asked: 2 });
  results.set(1, once(LATER));
  expect(results.counts()).toMatchObject({ done: 2, askedAgain: 1, putOff: 1, putOffS: 300 });
  expect(results.counts(scan)).toMatchObject({ done: 4, askedAgain: 2, putOff: 2, putOffS: 300 });
  expect(Object.fromEntries(results.counts(scan).verdicts)).toEqual({ valid: 2, risky: 0, invalid: 0, unknown: 2 });
});
