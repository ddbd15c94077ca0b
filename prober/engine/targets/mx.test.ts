import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNameSchema } from '../../../schema/evidence.ts';
import { isHostName } from '../../../schema/host-name.ts';
import type { MxAnswer } from '../ports/ports.ts';
import { isNoHost, mailHostsOf } from './mx.ts';

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
      'a target that no host can be called',
      records([10, 'a b'], [20, 'b.test']),
      { kind: 'hosts', hosts: ['a b', 'b.test'], mx: ['b.test'], implicit: false },
    ],
  ])('takes %s for what it says', (_, answer, hosts) => {
    expect(find(answer)).toEqual(hosts);
  });

  it('tries better preferences first, and equal ones in any order', () => {
    const equal = records([10, 'a.test'], [10, 'b.test'], [5, 'c.test']);
    const orders = [0, 0.4, 0.9].map((random) => find(equal, random));
    expect(new Set(orders.map((order) => order.kind === 'hosts' && order.hosts.join()))).toEqual(
      new Set(['c.test,a.test,b.test', 'c.test,b.test,a.test']),
    );
    const two = records([10, 'a.test'], [10, 'b.test']);
    expect(find(two, 0)).not.toEqual(find(two, 0.9));
  });

  it('shows ten records, and tries all', () => {
    const many = records(...Array.from({ length: 12 }, (_, at) => [at, `mx${at}.test`] as const));
    const { hosts, mx } = { hosts: [], mx: [], ...find(many) };
    expect([hosts.length, mx.length, mx[0]]).toEqual([12, 10, 'mx0.test']);
  });
});

describe('isNoHost', () => {
  it.each(['192.0.2.1', 'a.1', '1', 'a.0x7f', '0x', '', 'a b', 'a..b', '-a.test', `${'a'.repeat(64)}.test`])(
    '%j is none',
    (name) => expect(isNoHost(name)).toBe(true),
  );
  it.each(['mx.test', '1.test', '_a.test', 'a.0xg', 'mx1'])('%j may be one', (name) =>
    expect(isNoHost(name)).toBe(false),
  );
});

it('what is a host name is the same with and without a parse', () => {
  const piece = fc.constantFrom('a', 'A', '0', '_', '-', '.', '..', 'é', ' ', '\n', 'x'.repeat(63), '');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const name = pieces.join('');
      expect(isHostName(name)).toBe(hostNameSchema.safeParse(name).success);
    }),
  );
});
