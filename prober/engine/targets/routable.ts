import ipaddr from 'ipaddr.js';
import { GLOBAL_UNICAST_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './special-purpose.ts';

export type Family = 4 | 6;

/** An address in its one canonical spelling: what is checked is what is dialled, byte for byte. */
export type CheckedIp = { readonly ip: string; readonly family: Family };

/** The same, and whether it may be dialled without a declared route. */
export type JudgedIp = CheckedIp & { readonly isRoutable: boolean };

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = readonly [network: Ip, bits: number];

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
/** The dotted tail of an embedded IPv4 address is left out on purpose: such an address is never dialled. */
const IPV6_CHARS = /^[0-9a-f:]+$/i;

/** A block of IPv4 addresses as 32-bit numbers: an address is inside if its masked bits are the network's. */
type Block = { readonly network: number; readonly mask: number };

const specialV4: readonly Block[] = SPECIAL_IPV4.map(([cidr]) => blockOf(cidr));
const specialV6: readonly Cidr[] = SPECIAL_IPV6.map(([cidr]) => ipaddr.parseCIDR(cidr));
const globalV6 = ipaddr.parseCIDR(GLOBAL_UNICAST_IPV6);

/**
 * Whether an address may be dialled without a declared route: IPv4 outside the IANA special-purpose registry, IPv6
 * inside 2000::/3 and outside that registry. Forms that carry an IPv4 address (6to4, Teredo, NAT64, mapped) are refused.
 * @param ip an address as text; anything else is not routable
 */
export function isGloballyRoutable(ip: string): boolean {
  const address = parseIp(ip);
  return address !== null && isRoutable(address);
}

/** `canonicalIp` and `isGloballyRoutable` at once, of text that is read once. */
export function judgeIp(ip: string): JudgedIp | null {
  const address = parseIp(ip);
  return address === null ? null : { ...checked(address), isRoutable: isRoutable(address) };
}

/**
 * The canonical spelling of an address, null for anything else: no zone, no octal or shortened IPv4, no host name, which
 * a socket would look up again.
 */
export function canonicalIp(ip: string): CheckedIp | null {
  const address = parseIp(ip);
  return address === null ? null : checked(address);
}

/** Parses `address/bits`. Throws if it is not one: ranges come from an operator's checked options or from data. */
export function parseCidr(text: string): Cidr {
  const [address = ''] = text.split('/', 1);
  if (parseIp(address) === null || !ipaddr.isValidCIDR(text))
    throw new Error('not an address range in the form address/bits');
  return ipaddr.parseCIDR(text);
}

/** Whether `ip` is an address inside the range. */
export function inCidr(range: Cidr, ip: string): boolean {
  const address = parseIp(ip);
  return address !== null && contains(range, address);
}

function isRoutable(address: Ip): boolean {
  if (address instanceof ipaddr.IPv4) {
    const bits = bitsOf(address);
    return !specialV4.some(({ network, mask }) => (bits & mask) === network);
  }
  return contains(globalV6, address) && !specialV6.some((block) => contains(block, address));
}

function blockOf(cidr: string): Block {
  const [address, length] = ipaddr.parseCIDR(cidr);
  if (!(address instanceof ipaddr.IPv4) || length === 0) throw new Error('not a block of IPv4 addresses');
  const mask = -1 << (32 - length);
  return { network: bitsOf(address) & mask, mask };
}

function bitsOf({ octets }: ipaddr.IPv4): number {
  return octets.reduce((bits, octet) => (bits << 8) | octet, 0);
}

function checked(address: Ip): CheckedIp {
  if (address instanceof ipaddr.IPv6) return { ip: address.toRFC5952String(), family: 6 };
  return { ip: address.toString(), family: 4 };
}

function contains([network, bits]: Cidr, address: Ip): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** ipaddr.js also reads octal, hexadecimal and shortened IPv4 and zones, all refused here. */
function parseIp(text: string): Ip | null {
  if (IPV4.test(text)) return new ipaddr.IPv4(text.split('.').map(Number));
  if (!IPV6_CHARS.test(text) || !text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text);
}
