import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { isExhaustion, type SocketError, tellExhaustion } from './exhaustion.ts';

const IPV6: Readonly<Record<string, string>> = { cidr: '2001:db8::7/64', netmask: 'ffff:ffff:ffff:ffff::' };
const address = (ip: string, internal: boolean) => {
  const common = { address: ip, mac: '00:00:00:00:00:00', internal, netmask: '255.255.255.0', cidr: null };
  return ip.includes(':')
    ? { ...common, ...IPV6, family: 'IPv6' as const, scopeid: 0 }
    : { ...common, family: 'IPv4' as const };
};
const LO = { lo: [address('127.0.0.1', true)] };
const V4 = { ...LO, eth0: [address('10.0.0.7', false)] };
/** IPv6 is disabled on all interfaces but loopback. */
const V4_AND_LO6 = { ...V4, lo: [address('127.0.0.1', true), address('::1', true)] };
const BOTH = { ...V4_AND_LO6, eth0: [address('10.0.0.7', false), address('2001:db8::7', false)] };

const error = (code: string, syscall: string, to?: string): SocketError =>
  Object.assign(new Error(code), { code, syscall, address: to });

it.each<[string, SocketError, ReturnType<typeof networkInterfaces>, boolean]>([
  ['no descriptor is left', error('EMFILE', 'connect', '2001:db8::1'), V4, true],
  ['no buffer is left', error('ENOBUFS', 'write'), V4, true],
  ['all ports to an IPv4 peer are taken', error('EADDRNOTAVAIL', 'connect', '192.0.2.1'), V4, true],
  ['all ports to an IPv6 peer are taken', error('EADDRNOTAVAIL', 'connect', '2001:db8::1'), BOTH, true],
  ['all ports to a peer on this machine are taken', error('EADDRNOTAVAIL', 'connect', '127.0.0.1'), LO, true],
  ['a declared address is gone', error('EADDRNOTAVAIL', 'bind', '2001:db8::7'), V4, true],
  ['IPv6 is disabled', error('EADDRNOTAVAIL', 'connect', '2001:db8::1'), V4, false],
  ['IPv6 is disabled but for loopback', error('EADDRNOTAVAIL', 'connect', '2001:db8::1'), V4_AND_LO6, false],
  ['IPv6 is disabled, and the peer is loopback', error('EADDRNOTAVAIL', 'connect', '::1'), V4, false],
  ['there is no IPv4', error('EADDRNOTAVAIL', 'connect', '192.0.2.1'), { lo: [address('::1', true)] }, false],
  ['the peer refuses', error('ECONNREFUSED', 'connect', '192.0.2.1'), V4, false],
  ['there is no route', error('ENETUNREACH', 'connect', '2001:db8::1'), V4, false],
])('exhaustion is told from a family that this machine does not have: %s', (_what, met, interfaces, expected) => {
  expect(isExhaustion(met, () => interfaces)).toBe(expected);
});

it('only exhaustion is reported, by its name', () => {
  const told: string[] = [];
  const tell = tellExhaustion((errno) => told.push(errno));
  for (const code of ['ECONNREFUSED', 'EMFILE', 'ETIMEDOUT', 'ENFILE']) tell(error(code, 'connect', '192.0.2.1'));
  expect(told).toEqual(['EMFILE', 'ENFILE']);
});
