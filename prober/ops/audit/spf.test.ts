import { Resolver } from 'node:dns/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Say, startNameServer } from '../../testing/name-server.ts';
import { checkSpf } from './spf.ts';

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

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A record, in a world with the names of the zone; `failing.test` is never answered. */
async function check(record: string, { txt = {}, mx = {}, ip = {}, ptr = [] }: Zone = {}, from = IP) {
  const texts: Zone['txt'] = { 'd.test': [record], ...txt };
  const dns = await startNameServer(({ name, type }): Say => {
    if (name === 'failing.test') return { rcode: 'SERVFAIL' };
    if (type === 'PTR') return { ptr };
    if (type === 'TXT') return { txt: (texts[name] ?? []).map((text) => [text]) };
    if (type === 'MX') return { mx: (mx[name] ?? []).map((exchange) => [10, exchange]) };
    return type === 'A' ? { ip: ip[name] ?? [] } : 'nodata';
  });
  closers.push(() => dns.close());
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  return checkSpf(resolver, FROM, { ip: from, heloName: HELO });
}

describe('checkSpf', () => {
  const NET: Zone = {
    ip: { 'd.test': [IP], 'net.test': ['192.0.2.200'], 'mx.test': ['192.0.2.1', IP], 'mx.d.test': [IP] },
    mx: { 'd.test': ['mx.test'], 'net.test': ['net.test'] },
    ptr: ['mx.d.test'],
  };

  it.each([
    ['v=spf1 ip4:192.0.2.7 -all', 'pass'],
    ['v=spf1 IP4:192.0.2.0/24 ~ALL', 'pass'],
    ['v=spf1 ip4:192.0.2.0/30 -all', 'refused'],
    ['v=spf1 -ip4:192.0.2.7 +all', 'refused'],
    ['v=spf1 ?all', 'refused'],
    ['v=spf1 a -all', 'pass'],
    ['v=spf1 a:net.test/24 -all', 'pass'],
    ['v=spf1 a:net.test//64 -all', 'refused'],
    ['v=spf1 mx -all', 'pass'],
    ['v=spf1 ptr -all', 'pass'],
    ['v=spf1 ptr:other.test -all', 'refused'],
    ['v=spf1 exists:net.test -all', 'pass'],
    ['v=spf1 exists:%{i}.%{l}.%{h}.test -all', 'refused'],
  ])('%s: %s', async (record, kind) => {
    expect(await check(record, NET)).toEqual({ kind, record });
  });

  it('follows include and redirect', async () => {
    const txt = {
      'in.test': ['v=spf1 ip4:192.0.2.7 -all'],
      'other.test': ['something else', 'v=spf10 no', 'v=spf1 include:in.test'],
    };
    expect(await check('v=spf1 include:other.test -all', { txt })).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 redirect=in.test', { txt })).toMatchObject({ kind: 'pass' });
  });

  it('reads IPv6 ranges', async () => {
    expect(await check('v=spf1 ip6:2001:db8::/32 -all', {}, '2001:db8::7')).toMatchObject({ kind: 'pass' });
    expect(await check('v=spf1 ip6:2001:db8::8 -all', {}, '2001:db8::7')).toMatchObject({ kind: 'refused' });
  });

  it('is "none" without a record', async () => {
    expect(await check('v=spf2.0/pra')).toEqual({ kind: 'none' });
  });

  it.each([
    ['v=spf1 ipv4:192.0.2.7 -all', 'Unknown mechanism "ipv4"'],
    ['v=spf1 include:nowhere.test', 'no SPF records found for nowhere.test'],
    ['v=spf1 include:d.test', 'Too many DNS requests'],
    ['v=spf1 a:n1.test a:n2.test a:n3.test -all', 'Too many void DNS results'],
  ])('%s is a permanent error', async (record, part) => {
    expect(await check(record)).toEqual({ kind: 'permerror', why: expect.stringContaining(part) });
  });

  it.each(['include:failing.test', 'a:failing.test', 'mx:failing.test'])(
    'is a temporary error if %s is not answered',
    async (term) => {
      expect(await check(`v=spf1 ${term}`)).toEqual({ kind: 'temperror' });
    },
  );
});
