import { promises } from 'node:dns';
import { describe, expect, it, vi } from 'vitest';
import type { Resolved } from '../../engine/ports/ports.ts';
import type { Names } from './names.ts';
import { checkSpf } from './spf.ts';

const { signal } = new AbortController();
const IP = '192.0.2.7';
const HELO = 'probe.d.test';
const FROM = 'verify@d.test';

type Zone = {
  readonly txt?: Readonly<Record<string, readonly string[]>>;
  readonly mx?: Readonly<Record<string, readonly string[]>>;
  readonly ip?: Readonly<Record<string, readonly string[]>>;
  /** Names of the client's address. */
  readonly ptr?: readonly string[];
};

const resolved = (addresses: readonly string[]): Resolved[] => addresses.map((ip) => ({ ip, declared: false }));

/** Names that have what the zone says; `failing.test` is never answered. */
function namesOf({ txt = {}, mx = {}, ip = {}, ptr = [] }: Zone): Names {
  return {
    txt: async (name) => {
      if (name === 'failing.test') return { kind: 'failed' };
      const records = txt[name];
      return records === undefined ? { kind: 'none' } : { kind: 'found', records };
    },
    ptr: async (address) => (address === IP ? { kind: 'found', records: ptr } : { kind: 'none' }),
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
  checkSpf(namesOf({ ...zone, txt: { 'd.test': [record], ...zone.txt } }), FROM, { ip, heloName: HELO }, signal);

const lookups = (count: number): string => `v=spf1 ${'a:x.test '.repeat(count)}ip4:${IP} -all`;

describe('checkSpf', () => {
  it.each([
    ['v=spf1 ip4:192.0.2.7 -all', 'pass'],
    ['v=spf1 ip4:192.0.2.0/24 -all', 'pass'],
    ['v=spf1 ip4:192.0.2.0/30 -all', 'fail'],
    ['v=spf1 IP4:192.0.2.7 ~ALL', 'pass'],
    ['v=spf1 -ip4:192.0.2.7 +all', 'fail'],
    ['v=spf1 ~all', 'softfail'],
    ['v=spf1 ?all', 'neutral'],
    ['v=spf1 all', 'pass'],
    ['v=spf1', 'neutral'],
    ['v=spf1   ip6:2001:db8::/32  exp=why.test  -all ', 'fail'],
  ])('%s: %s', async (record, kind) => {
    expect(await check(record)).toEqual({ kind, record });
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
    expect(await check('v=spf1 include:out.test include:other.test -all', { txt })).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 redirect=in.test', { txt })).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 redirect=out.test', { txt })).toMatchObject({ kind: 'fail' });
    expect(await check('v=spf1 ?all redirect=in.test', { txt })).toMatchObject({ kind: 'neutral' });
  });

  it('is none without a record', async () => {
    const none = { kind: 'none' };
    expect(await checkSpf(namesOf({}), FROM, { ip: IP, heloName: HELO }, signal)).toEqual(none);
    expect(await check('v=spf2.0/pra')).toEqual(none);
  });

  it('checks the EHLO name if there is no envelope sender', async () => {
    const names = namesOf({ txt: { 'd.test': ['v=spf1 -all'], [HELO]: [`v=spf1 ip4:${IP} -all`] } });
    const client = { ip: IP, heloName: HELO };
    expect(await checkSpf(names, null, client, signal)).toMatchObject({ kind: 'pass' });
    expect(await checkSpf(names, FROM, client, signal)).toMatchObject({ kind: 'fail' });
  });

  const voids = ['a:n1.test', 'a:n2.test', 'a:n3.test'].join(' ');
  it.each([
    ['v=spf1 ipv4:192.0.2.7 -all', 'ipv4:192.0.2.7'],
    ['v=spf1 ip4:192.0.2.7/33', 'ip4:192.0.2.7/33'],
    ['v=spf1 ip4:192.0.2.7 -all typo', 'typo'],
    ['v=spf1 include', 'include'],
    ['v=spf1 a/33', 'a/33'],
    ['v=spf1 redirect=a.test redirect=b.test', 'redirect=b.test'],
    ['v=spf1 include:nowhere.test', 'no SPF records found for nowhere.test'],
    ['v=spf1 redirect=nowhere.test', 'no SPF records found for nowhere.test'],
    ['v=spf1 include:d.test', 'Too many DNS requests'],
    [`v=spf1 ${voids} -all`, 'Too many void DNS results'],
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
    'learns nothing if %s is not answered',
    async (term) => {
      expect(await check(`v=spf1 ${term}`)).toEqual({ kind: 'temperror' });
    },
  );

  it.each([
    ['exists:%{i}.list.test', '192.0.2.7.list.test'],
    ['exists:%{ir}.%{v}.list.test', '7.2.0.192.in-addr.list.test'],
    ['exists:%{l}.%{o}.list.test', 'verify.d.test.list.test'],
    ['exists:%{h}.list.test', 'probe.d.test.list.test'],
    ['a:%{d1r}.list.test/24', 'd.list.test'],
    ['exists:%{p}.list.test', 'mx.d.test.list.test'],
  ])('follows the macros of %s to %s', async (term, name) => {
    const zone = { ptr: ['mx.d.test'], ip: { 'mx.d.test': [IP] } };
    expect(await check(`v=spf1 ${term} -all`, { ...zone, ip: { ...zone.ip, [name]: ['192.0.2.1'] } })).toMatchObject({
      kind: 'pass',
    });
    expect(await check(`v=spf1 ${term} -all`, zone)).toMatchObject({ kind: 'fail' });
  });

  it('believes a name of the address only if it leads back to it', async () => {
    const zone = { ptr: ['mx.d.test'] };
    expect(await check('v=spf1 ptr -all', { ...zone, ip: { 'mx.d.test': [IP] } })).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 ptr -all', { ...zone, ip: { 'mx.d.test': ['192.0.2.8'] } })).toMatchObject({
      kind: 'fail',
    });
    expect(await check('v=spf1 ptr:other.test -all', { ...zone, ip: { 'mx.d.test': [IP] } })).toMatchObject({
      kind: 'fail',
    });
  });

  it('asks nobody but the names it was given', async () => {
    const dns = vi.spyOn(promises, 'resolve');
    await check('v=spf1 a mx ptr exists:%{p}.x.test include:y.test redirect=z.test');
    expect(dns).not.toHaveBeenCalled();
  });
});
