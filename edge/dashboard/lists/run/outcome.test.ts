import { expect, it } from 'vitest';
import { notAnAddress, type OpenResult } from '../../../../schema/words/result.ts';
import { Outcome } from './outcome.ts';

const INVALID = notAnAddress('x');
const VALID: OpenResult = { ...INVALID, result: 'deliverable', status: 'valid', reason: null, score: 95 };
const LATER: OpenResult = {
  ...INVALID,
  result: 'unknown',
  status: 'unknown',
  reason: 'greylisting',
  retry_after: 300,
};

it('counts by status, and knows who is left and who was put off', () => {
  const outcome = new Outcome(4);
  outcome.set(0, VALID);
  outcome.set(1, LATER);
  outcome.set(3, INVALID);
  expect(Object.fromEntries(outcome.counts)).toEqual({ valid: 1, risky: 0, invalid: 1, unknown: 1 });
  expect([outcome.size, outcome.answered, outcome.waiting]).toEqual([4, 3, 1]);
  expect(outcome.find(() => true, 10)).toEqual([0, 1, 3]);
  expect(outcome.find(() => true, 2)).toEqual([0, 1]);
});

it('takes the later answer to the same address in place of the first', () => {
  const outcome = new Outcome(1);
  outcome.set(0, LATER);
  outcome.set(0, VALID);
  expect(Object.fromEntries(outcome.counts)).toEqual({ valid: 1, risky: 0, invalid: 0, unknown: 0 });
  expect([outcome.answered, outcome.waiting]).toEqual([1, 0]);
});

it('tells a role from a person of the same status', () => {
  const outcome = new Outcome(2);
  outcome.set(0, { ...VALID, status: 'risky', role_based: true });
  outcome.set(1, { ...VALID, status: 'risky', disposable: true });
  expect(outcome.kindOf(0)).not.toBe(outcome.kindOf(1));
});

it('lets an answer for no address of the list pass by', () => {
  const outcome = new Outcome(1);
  outcome.set(1, VALID);
  expect(outcome.answered).toBe(0);
});

it('counts a status of a newer service behind those that it knows, and tells its reasons apart', () => {
  const outcome = new Outcome(3);
  outcome.set(0, { ...VALID, status: 'dormant', reason: 'not_yet_known' });
  outcome.set(1, { ...VALID, status: 'dormant', reason: 'mailbox_closed' });
  outcome.set(2, VALID);
  expect([...outcome.counts]).toEqual([
    ['valid', 1],
    ['risky', 0],
    ['invalid', 0],
    ['unknown', 0],
    ['dormant', 2],
  ]);
  expect(outcome.kindOf(0)).not.toBe(outcome.kindOf(1));
});
