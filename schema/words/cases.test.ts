import { describe, expect, it } from 'vitest';
import { costOf, explain } from './cases.ts';
import { notAnAddress, type OpenResult } from './result.ts';

const VALID: OpenResult = {
  ...notAnAddress('ann@a.test'),
  result: 'deliverable',
  status: 'valid',
  score: 95,
  reason: null,
  syntax: true,
  smtp_check: true,
};
const of = (fields: Partial<OpenResult>): OpenResult => ({ ...VALID, ...fields });

describe('explain', () => {
  it.each([
    ['a mailbox that exists', {}, 'The mailbox exists'],
    ['one for a role', { role_based: true }, 'The mailbox exists, for a role'],
    ['one at a throw-away provider', { disposable: true, role_based: true }, 'A disposable mailbox'],
    ['one with a doubt', { reason: 'timeout' }, 'Accepted, with some doubt'],
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

  it.each([
    [{ reason: 'not_yet_known' }, 'Not yet known'],
    [{ result: 'forwarded', reason: null }, 'Forwarded'],
    // Names that cases have, which are no words of the contract.
    [{ result: 'unknown', reason: 'refused' }, 'Refused'],
    [{ result: 'exists', reason: null }, 'Exists'],
    [{ result: 'unknown', reason: 'constructor' }, 'Constructor'],
  ])('shows an unknown word as it is: %o', (fields, title) => {
    expect(explain(of(fields)).title).toBe(title);
  });
});

describe('the cost of a result', () => {
  it('is unknown for an unknown reason or result', () => {
    expect([costOf(of({ reason: 'not_yet_known' })), costOf(of({ result: 'forwarded' }))]).toEqual([null, null]);
  });

  it('is nothing for an entry that is not an address, and comes back from a server that refused us', () => {
    const refused = of({ result: 'unknown', reason: 'policy_rejected' });
    expect([notAnAddress('nothing'), refused, VALID].map(costOf)).toEqual(['free', 'returned', 'charged']);
  });
});
