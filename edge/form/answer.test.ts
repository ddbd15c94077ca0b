import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../schema/verdict.ts';
import type { VerificationResult } from '../../schema/words/result.ts';
import { UNPROBED } from '../verify/judge.ts';
import { formAnswer } from './answer.ts';

const result = (fields: Partial<VerificationResult>): VerificationResult => ({
  ...judge({ email: 'ann@shop.test', local: 'ann' }, UNPROBED),
  ...fields,
});

describe('the answer to a form', () => {
  it.each<[Partial<VerificationResult>, unknown]>([
    [{ result: 'undeliverable', reason: 'no_mx' }, ['reject', 'no_mail_domain']],
    [{ result: 'undeliverable', reason: 'mx_unresolved' }, ['reject', 'no_mail_domain']],
    [{ result: 'undeliverable', reason: 'mx_private_ip' }, ['reject', 'no_mail_domain']],
    [{ result: 'unknown', reason: 'provider_blocks_probe' }, ['unsure', null]],
    [{ result: 'deliverable', reason: 'mailbox_full' }, ['accept', null]],
  ])('for %o is %o', (fields, said) => {
    const { verdict, reason } = formAnswer(result(fields), false);
    expect([verdict, reason]).toEqual(said);
  });

  it('rejects undeliverable addresses, and disposable ones if the owner wants that: nothing else', () => {
    const results = fc.constantFrom('deliverable', 'undeliverable', 'catch-all', 'unknown');
    fc.assert(
      fc.property(results, fc.boolean(), fc.boolean(), (raw, disposable, rejects) => {
        const { verdict } = formAnswer(result({ result: raw, disposable }), rejects);
        expect(verdict === 'reject').toBe(raw === 'undeliverable' || (disposable && rejects));
      }),
    );
  });

  it('contains the suggestion with every verdict, and no further members', () => {
    const did_you_mean = 'ann@gmail.com';
    for (const raw of ['deliverable', 'undeliverable', 'unknown'] as const)
      expect(formAnswer(result({ result: raw, reason: null, did_you_mean }), false)).toEqual({
        verdict: expect.any(String),
        reason: raw === 'undeliverable' ? 'no_such_mailbox' : null,
        did_you_mean,
      });
  });
});
