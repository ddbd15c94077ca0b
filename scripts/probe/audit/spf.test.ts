import { describe, expect, it } from 'vitest';
import type { Resolved } from '../../../prober/engine/ports/ports.ts';
import type { Names } from './names.ts';
import { checkSpf } from './spf.ts';

const { signal } = new AbortController();
const IP = '192.0.2.7';

type Zone = {
  readonly txt?: Readonly<Record<string, readonly string[]>>;
  readonly mx?: Readonly<Record<string, readonly string[]>>;
  readonly ip?: Readonly<Record<string, readonly string[]>>;
};

const resolved = (addresses: readonly string[]): Resolved[] => addresses.map((ip) => ({ ip, declared: false }));

/** Names that have what the zone says; `failing.test` is never answered. */
function namesOf({ txt = {}, mx = {}, ip = {} }: Zone): Names {
  return {
    txt: async (name) => {
      if (name === 'failing.test') return { kind: 'failed' };
      const records = txt[name];
      return records === undefined ? { kind: 'none' } : { kind: 'found', records };
    },
    ptr: async () => ({ kind: 'none' }),
    mx: async (domain) => {
      if (domain === 'failing.test') return { kind: 'failed' };
      const records = mx[domain];
      return records === undefined
        ? { kind: 'none' }
        : { kind: 'found', records: records.map((exchange) => ({ exchange, preference: 10 })) };
    },
    addresses: async (host) => ({ addresses: resolved(ip[host] ?? []), certain: host !== 'failing.test' }),
  };
}

const check = (record: string, zone: Zone = {}, ip = IP) =>
  checkSpf(namesOf({ ...zone, txt: { 'd.test': [record], ...zone.txt } }), 'd.test', ip, signal);

const lookups = (count: number): string => `v=spf1 ${'a:x.test '.repeat(count)}ip4:${IP} -all`;

describe('checkSpf', () => {
  it.each([
    ['v=spf1 ip4:192.0.2.7 -all', 'pass', 'ip4:192.0.2.7'],
    ['v=spf1 ip4:192.0.2.0/24 -all', 'pass', 'ip4:192.0.2.0/24'],
    ['v=spf1 ip4:192.0.2.0/30 -all', 'fail', '-all'],
    ['v=spf1 IP4:192.0.2.7 ~ALL', 'pass', 'IP4:192.0.2.7'],
    ['v=spf1 -ip4:192.0.2.7 +all', 'fail', '-ip4:192.0.2.7'],
    ['v=spf1 ~all', 'softfail', '~all'],
    ['v=spf1 ?all', 'neutral', '?all'],
    ['v=spf1 all', 'pass', 'all'],
    ['v=spf1', 'neutral', null],
    ['v=spf1   ip6:2001:db8::/32  exp=why.test  -all ', 'fail', '-all'],
  ])('%s: %s', async (record, kind, term) => {
    expect(await check(record)).toEqual({ kind, term });
  });

  it('reads IPv6 ranges', async () => {
    expect(await check('v=spf1 ip6:2001:db8::/32 -all', {}, '2001:db8::7')).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 ip6:2001:db8::8 -all', {}, '2001:db8::7')).toMatchObject({ kind: 'fail' });
  });

  it.each([
    ['a', 'pass'],
    ['a:d.test', 'pass'],
    ['a:net.test/24', 'pass'],
    ['a:net.test/30', 'fail'],
    ['a:net.test//64', 'fail'],
    ['a:six.test', 'fail'],
    ['mx', 'pass'],
    ['mx:net.test/24', 'pass'],
    ['exists:net.test', 'pass'],
    ['exists:six.test', 'fail'],
  ])('follows %s to its addresses: %s', async (term, kind) => {
    const zone: Zone = {
      ip: { 'd.test': [IP], 'net.test': ['192.0.2.200'], 'six.test': ['2001:db8::1'], 'mx.test': ['192.0.2.1', IP] },
      mx: { 'd.test': ['mx.test'], 'net.test': ['net.test'] },
    };
    expect(await check(`v=spf1 ${term} -all`, zone)).toMatchObject({ kind });
  });

  it('follows include and redirect', async () => {
    const txt = {
      'in.test': ['v=spf1 ip4:192.0.2.7 -all'],
      'out.test': ['v=spf1 -all'],
      'other.test': ['something else', 'v=spf10 no', 'v=spf1 include:in.test'],
    };
    expect(await check('v=spf1 include:out.test include:other.test -all', { txt })).toEqual({
      kind: 'pass',
      term: 'include:other.test',
    });
    expect(await check('v=spf1 redirect=in.test', { txt })).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 redirect=out.test', { txt })).toMatchObject({ kind: 'fail' });
    expect(await check('v=spf1 ?all redirect=in.test', { txt })).toMatchObject({ kind: 'neutral' });
  });

  it('has none where there is no record', async () => {
    expect(await checkSpf(namesOf({}), 'd.test', IP, signal)).toEqual({ kind: 'none' });
    expect(await checkSpf(namesOf({ txt: { 'd.test': ['v=spf2.0/pra'] } }), 'd.test', IP, signal)).toEqual({
      kind: 'none',
    });
  });

  const voids = ['a:n1.test', 'a:n2.test', 'a:n3.test'].join(' ');
  it.each([
    ['v=spf1 ipv4:192.0.2.7 -all', 'ipv4:192.0.2.7'],
    ['v=spf1 ip4:192.0.2.7/33', 'ip4:192.0.2.7/33'],
    ['v=spf1 ip4:192.0.2.7 -all typo', 'typo'],
    ['v=spf1 include', 'include'],
    ['v=spf1 a/33', 'a/33'],
    ['v=spf1 redirect=a.test redirect=b.test', 'redirect=b.test'],
    ['v=spf1 include:nowhere.test', 'include:nowhere.test'],
    ['v=spf1 redirect=nowhere.test', 'redirect=nowhere.test'],
    ['v=spf1 include:d.test', 'more than 10 lookups'],
    [`v=spf1 ${voids} -all`, 'lead nowhere'],
  ])('%s is an error of the record', async (record, part) => {
    expect(await check(record)).toEqual({ kind: 'permerror', why: expect.stringContaining(part) });
  });

  it('takes ten lookups and not eleven', async () => {
    const ip = { 'x.test': ['192.0.2.1'] };
    expect(await check(lookups(10), { ip })).toMatchObject({ kind: 'pass' });
    expect(await check(lookups(11), { ip })).toMatchObject({ kind: 'permerror' });
  });

  it('takes two records for none', async () => {
    const txt = { 'd.test': ['v=spf1 -all', 'v=spf1 +all'] };
    expect(await check('', { txt })).toMatchObject({ kind: 'permerror' });
  });

  it.each(['include:failing.test', 'a:failing.test', 'mx:failing.test', 'redirect=failing.test'])(
    'learns nothing where %s is not answered',
    async (term) => {
      expect(await check(`v=spf1 ${term}`)).toEqual({ kind: 'temperror' });
    },
  );

  it('is uncertain where it hangs on a macro or on ptr, and only then', async () => {
    const macro = 'exists:%{i}.list.test';
    expect(await check(`v=spf1 ${macro} -all`)).toEqual({ kind: 'uncertain', term: macro });
    expect(await check('v=spf1 ptr -all')).toEqual({ kind: 'uncertain', term: 'ptr' });
    expect(await check(`v=spf1 ${macro} ip4:${IP} -all`)).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 redirect=%{d}.test')).toMatchObject({ kind: 'uncertain' });
  });
});
