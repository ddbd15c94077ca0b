import ipaddr from 'ipaddr.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCidr, judgeIp, parseCidr } from './routable.ts';

const isGloballyRoutable = (ip: string): boolean => judgeIp(ip)?.isRoutable === true;

const words = (text: string): string[] => text.trim().split(/\s+/);

// The complete IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, as of 2026-11), including what their
// "globally reachable" column allows, and multicast.
const SPECIAL_IPV4 = words(`
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
240.0.0.0/4
`);
const SPECIAL_IPV6 = words(`
::/8 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16
fc00::/7 fe80::/10 ff00::/8
`);

test.each(
  words(`
1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 192.0.1.0 198.17.255.255 198.20.0.0
223.255.255.255 2600::1 2001:200::1 2001:4860:4860::8888 2a00:: 3ffe::1 2003::1
`),
)('%s is globally routable', (ip) => expect(isGloballyRoutable(ip)).toBe(true));

// Special-purpose, embedded and multicast ranges; then other spellings, which a socket might look up.
test.each([
  '',
  ' 8.8.8.8',
  ...words(`
0.0.0.0 0.1.2.3 10.255.255.255 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.9 192.0.2.1
192.31.196.1 192.88.99.1 192.168.1.1 198.19.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1
::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:808:808 ::8.8.8.8 64:ff9b::a00:1 64:ff9b::808:808 64:ff9b:1::1 100::1
2001:0:1234::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::1 2002:808:808::1 2620:4f:8000::1 3fff::1
5f00::1 4000::1 fd00::1 fe80::1 fe80::1%eth0 2600::1%1 fec0::1 ff02::1
localhost 010.8.8.8 08.8.8.8 0x8.8.8.8 8.8 134744072 face 8.8.8.8.8 8.8.8.256 [2600::1] 2600::1::2
2600:1:2:3:4:5:6:7:8
`),
])('%j is rejected', (ip) => expect(isGloballyRoutable(ip)).toBe(false));

const ipv4 = fc
  .integer({ min: 0, max: 0xff_ff_ff_ff })
  .map((n) => [24, 16, 8, 0].map((s) => (n >>> s) & 255).join('.'));
const ipv6 = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .map((g) => g.map((n) => n.toString(16)).join(':'));

test('no address of a special block is routable, including the edges of the blocks', () => {
  const blocks = [...SPECIAL_IPV4, ...SPECIAL_IPV6];
  fc.assert(
    fc.property(fc.constantFrom(...blocks), fc.nat(), (cidr, noise) => {
      const [network, bits] = ipaddr.parseCIDR(cidr);
      const ones = network.toByteArray().map((byte, i) => {
        const fixed = Math.max(0, Math.min(8, bits - i * 8));
        return byte | ((noise * (i + 7)) & 255 & (0xff >> fixed));
      });
      const text = ones.length === 4 ? ones.join('.') : groups(ones);
      expect(inCidr(parseCidr(cidr), text)).toBe(true);
      expect(isGloballyRoutable(text)).toBe(false);
    }),
  );
});

test('an IPv4 address is routable exactly if no special block contains it', () => {
  const ranges = SPECIAL_IPV4.map(parseCidr);
  fc.assert(fc.property(ipv4, (ip) => isGloballyRoutable(ip) === !ranges.some((range) => inCidr(range, ip))));
});

test('an IPv6 address outside 2000::/3 is never routable', () => {
  fc.assert(
    fc.property(ipv6, (ip) => !isGloballyRoutable(ip) || (/^[23]/.test(ip.padStart(4, '0')) && ip.indexOf(':') === 4)),
  );
});

test('the canonical spelling is stable and denotes the same address', () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), (ip) => {
      const canonical = judgeIp(ip);
      expect(canonical).not.toBeNull();
      expect(judgeIp(canonical?.ip ?? '')).toEqual(canonical);
      expect(isGloballyRoutable(canonical?.ip ?? '')).toBe(isGloballyRoutable(ip));
    }),
  );
  expect(judgeIp('2600:0:0:0:0:0:0:00AB')).toMatchObject({ ip: '2600::ab', family: 6 });
});

test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', 'x/8', '::/129', '10.0.0/8', '10.0.0.0/'])(
  '%j is not a range',
  (text) => expect(() => parseCidr(text)).toThrow('address range'),
);

test.each(['192.0.2.1', '2600::1'])('a range may be the single address %s', (ip) => {
  const range = parseCidr(`${ip}/${ip.includes(':') ? 128 : 32}`);
  expect(inCidr(range, ip)).toBe(true);
  expect(inCidr(range, ip.replace(/1$/, '2'))).toBe(false);
});

test('a range contains only addresses', () => {
  for (const text of ['', 'mx.test', '10.0.0', '10.0.0.0/8']) expect(inCidr(parseCidr('0.0.0.0/0'), text)).toBe(false);
});

test('a range of one family contains no address of the other', () => {
  expect(inCidr(parseCidr('0.0.0.0/0'), '2600::1')).toBe(false);
  expect(inCidr(parseCidr('0.0.0.0/0'), '8.8.8.8')).toBe(true);
  expect(inCidr(parseCidr('127.0.0.0/9'), '127.127.0.1')).toBe(true);
  expect(inCidr(parseCidr('127.0.0.0/9'), '127.128.0.1')).toBe(false);
});

function groups(bytes: readonly number[]): string {
  const out: string[] = [];
  for (let i = 0; i < 16; i += 2) out.push((((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)).toString(16));
  return out.join(':');
}
