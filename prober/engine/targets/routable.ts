import ipaddr from 'ipaddr.js';
import { GLOBAL_UNICAST_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './special-purpose.ts';

export type Family = 4 | 6;

/** An address in its one canonical spelling: what is checked is what is dialled, byte for byte. */
export type CheckedIp = { readonly ip: string; readonly family: Family };

export type Cidr = { readonly bytes: readonly number[]; readonly bits: number };

const FOUR_PARTS = /^\d{1,3}(\.\d{1,3}){3}$/;
/** The dotted tail of an embedded IPv4 address is left out on purpose: such an address is never dialled. */
const IPV6_CHARS = /^[0-9a-f:]+$/i;

const specialV4 = SPECIAL_IPV4.map(([cidr]) => parseCidr(cidr));
const specialV6 = SPECIAL_IPV6.map(([cidr]) => parseCidr(cidr));
const globalV6 = parseCidr(GLOBAL_UNICAST_IPV6);

/**
 * Whether an address may be dialled without a declared route: IPv4 outside the IANA special-purpose registry, IPv6
 * inside 2000::/3 and outside that registry. Forms that carry an IPv4 address (6to4, Teredo, NAT64, mapped) are refused.
 * @param ip an address as text; anything else is not routable
 */
export function isGloballyRoutable(ip: string): boolean {
  const bytes = parseIp(ip);
  if (bytes === null) return false;
  if (bytes.length === 4) return !specialV4.some((block) => contains(block, bytes));
  return contains(globalV6, bytes) && !specialV6.some((block) => contains(block, bytes));
}

/**
 * The canonical spelling of an address, null for anything else: no zone, no octal or shortened IPv4, no host name, which
 * a socket would look up again.
 */
export function canonicalIp(ip: string): CheckedIp | null {
  const bytes = parseIp(ip);
  if (bytes === null) return null;
  if (bytes.length === 4) return { ip: bytes.join('.'), family: 4 };
  return { ip: new ipaddr.IPv6([...bytes]).toRFC5952String(), family: 6 };
}

/** Parses `address/bits`. Throws where it is none: ranges come from an operator or from data, never from a peer. */
export function parseCidr(text: string): Cidr {
  const [address, prefix, ...rest] = text.split('/');
  const bytes = parseIp(address ?? '');
  const bits = Number(prefix);
  if (bytes === null || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '') || bits > bytes.length * 8)
    throw new Error('not an address range in the form address/bits');
  return { bytes, bits };
}

/** Whether `ip` is an address inside the range. */
export function inCidr(range: Cidr, ip: string): boolean {
  const bytes = parseIp(ip);
  return bytes !== null && contains(range, bytes);
}

function contains(range: Cidr, bytes: readonly number[]): boolean {
  if (range.bytes.length !== bytes.length) return false;
  for (let at = 0; at * 8 < range.bits; at += 1) {
    const bits = Math.min(8, range.bits - at * 8);
    const mask = (0xff << (8 - bits)) & 0xff;
    if (((range.bytes[at] ?? 0) & mask) !== ((bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}

/** 4 or 16 octets. ipaddr.js also reads octal, hexadecimal and shortened IPv4 and zones, all refused here. */
function parseIp(text: string): readonly number[] | null {
  if (FOUR_PARTS.test(text)) {
    const parts = text.split('.');
    if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))) return null;
    return parts.map(Number);
  }
  if (!IPV6_CHARS.test(text) || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text).toByteArray();
}
