import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { OUTCOMES } from '../../../schema/outcomes.ts';
import { judgeSyntax } from '../../../schema/verdict.ts';
import { notAnAddress, REASONS, type VerificationResult } from '../../../schema/client/results.ts';
import { costOf, explain, explainReason, waitOf } from './verdict.ts';

const VALID: VerificationResult = {
  ...notAnAddress('ann@a.test'),
  result: 'deliverable',
  status: 'valid',
  score: 95,
  reason: null,
  syntax: true,
  smtp_check: true,
};
const of = (fields: Partial<VerificationResult>): VerificationResult => ({ ...VALID, ...fields });

describe('explain', () => {
  it.each(REASONS)('says of %s what it means and what to do, in sentences', (reason) => {
    const { title, meaning, advice } = explainReason(reason);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    for (const sentence of [meaning, advice]) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    ['a mailbox that exists', {}, 'The mailbox exists'],
    ['one for a role', { role_based: true }, 'The mailbox exists, for a role'],
    ['one at a throw-away provider', { disposable: true, role_based: true }, 'A disposable mailbox'],
    ['one with a doubt', { reason: 'timeout' }, 'Accepted, with a doubt'],
    ['a full one', { reason: 'mailbox_full', role_based: true }, 'The mailbox exists, but it is full'],
    ['a refused one', { result: 'undeliverable' }, 'The mailbox does not exist'],
    [
      'a server that does not exist',
      { result: 'undeliverable', reason: 'mx_unresolved' },
      'The domain’s mail servers do not exist',
    ],
    [
      'one that nobody asked',
      { result: 'unknown', reason: 'timeout', smtp_check: false, retry_after: 60 },
      'Not asked yet',
    ],
    [
      'one in a domain that opted out',
      { result: 'unknown', reason: 'policy_rejected', smtp_check: false },
      'The domain asked us not to check it',
    ],
  ] as const)('knows %s', (_name, fields, title) => {
    expect(explain(of(fields)).title).toBe(title);
  });
});

describe('the cost of a result', () => {
  const rows = Object.entries(OUTCOMES).map(([kind, row]) => ({ kind, ...row }) as const);
  it.each(rows)('$kind is said as it is charged', ({ kind, result, status, reason, refunded }) => {
    const isUnprobed = kind === ('unprobed' satisfies Outcome['kind']);
    const told = of({ result, status, reason, smtp_check: !isUnprobed, retry_after: isUnprobed ? 60 : null });
    expect(costOf(told)).toBe(refunded ? 'returned' : 'charged');
  });

  it('is nothing for what is not an address', () => {
    expect(costOf(judgeSyntax('nothing'))).toBe('free');
  });
});

it('says how long to wait only if asking again helps', () => {
  expect(waitOf(of({ reason: 'greylisting', retry_after: 420 }))).toBe('Wait: 7 min');
  expect(waitOf(of({ reason: 'mailbox_full', retry_after: 3_600 }))).toBeNull();
  expect(waitOf(VALID)).toBeNull();
});
