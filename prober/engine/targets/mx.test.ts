import { describe, expect, it } from 'vitest';
import type { MxAnswer } from '../ports/ports.ts';
import { mailHostsOf } from './mx.ts';

const find = (answer: MxAnswer, random = 0) => mailHostsOf('d.test', answer, () => random);
const records = (...list: ReadonlyArray<readonly [preference: number, exchange: string]>): MxAnswer => ({
  kind: 'found',
  records: list.map(([preference, exchange]) => ({ preference, exchange })),
});

describe('mailHostsOf', () => {
  it.each<[what: string, answer: MxAnswer, hosts: unknown]>([
    ['no answer', { kind: 'failed' }, { kind: 'none', outcome: { kind: 'mx_lookup_failed' } }],
    ['no such domain', { kind: 'nxdomain' }, { kind: 'none', outcome: { kind: 'no_mail_domain', why: 'nxdomain' } }],
    ['no MX', { kind: 'none' }, { kind: 'hosts', hosts: ['d.test'], mx: [], implicit: true }],
    ['a null MX', records([0, '']), { kind: 'none', outcome: { kind: 'no_mail_domain', why: 'null_mx' } }],
    [
      'a null MX beside another',
      records([0, ''], [10, 'a.test']),
      { kind: 'hosts', hosts: ['a.test'], mx: ['a.test'], implicit: false },
    ],
    [
      'a host twice',
      records([20, 'a.test'], [10, 'b.test'], [5, 'a.test']),
      { kind: 'hosts', hosts: ['a.test', 'b.test'], mx: ['a.test', 'b.test'], implicit: false },
    ],
    [
      'a target that is no host name',
      records([10, 'a b'], [20, 'b.test']),
      { kind: 'hosts', hosts: ['a b', 'b.test'], mx: ['b.test'], implicit: false },
    ],
  ])('interprets %s correctly', (_, answer, hosts) => {
    expect(find(answer)).toEqual(hosts);
  });

  it('lists ten records, and tries all', () => {
    const many = records(...Array.from({ length: 12 }, (_, at) => [at, `mx${at}.test`] as const));
    const { hosts, mx } = { hosts: [], mx: [], ...find(many) };
    expect([hosts.length, mx.length, mx[0]]).toEqual([12, 10, 'mx0.test']);
  });
});
