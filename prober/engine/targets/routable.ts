import ipaddr from 'ipaddr.js';
import { GLOBAL_UNICAST_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './special-purpose.ts';

export type Family = 4 | 6;

/** An address in its canonical spelling: what is checked is what is dialled, byte for byte. */
export type JudgedIp = {
  readonly ip: string;
  readonly family: Family;
  /**
   * It may be dialled without a declared route: IPv4 outside the IANA special-purpose registry, IPv6 inside 2000::/3
   * and outside that registry. Forms that contain an IPv4 address (6to4, Teredo, NAT64, mapped) may not.
   */
  readonly isRoutable: boolean;
};

/** An IPv4 address as its 32 bits. */
type Ip = number | ipaddr.IPv6;
export type Cidr = { readonly network: Ip; readonly bits: number };

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** The canonical spelling only: ipaddr.js also reads octal, hexadecimal and shortened ones. */
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
/** The dotted tail of an embedded IPv4 address is left out on purpose: such an address is never dialled. */
const IPV6_CHARS = /^[0-9a-f:]+$/i;

const BITS_V4 = /^(?:[12]?\d|3[0-2])$/;

const specialV4 = SPECIAL_IPV4.map(([cidr]) => parseCidr(cidr));
/** Read with the first IPv6 address: most processes of one address meet none. */
let ipv6: { readonly global: Cidr; readonly special: readonly Cidr[] } | null = null;

/** Reads an address: no zone, no octal or shortened IPv4, no name, which a socket would look up; null: none. */
export function judgeIp(text: string): JudgedIp | null {
  const address = parseIp(text);
  if (address === null) return null;
  const isV4 = typeof address === 'number';
  return {
    ip: isV4 ? text : address.toRFC5952String(),
    family: isV4 ? 4 : 6,
    isRoutable: isRoutable(address),
  };
}

/** Parses `address/bits`. Throws for anything else: ranges come from an operator's checked options or from data. */
export function parseCidr(text: string): Cidr {
  const [address = '', bits = ''] = text.split('/');
  const network = parseIp(address);
  const isRange =
    typeof network === 'number' ? text === `${address}/${bits}` && BITS_V4.test(bits) : ipaddr.isValidCIDR(text);
  if (network === null || !isRange) throw new Error('not an address range in the form address/bits');
  return { network, bits: Number(bits) };
}

export function inCidr(range: Cidr, ip: string): boolean {
  const address = parseIp(ip);
  return address !== null && contains(range, address);
}

function isRoutable(address: Ip): boolean {
  if (typeof address === 'number') return !specialV4.some((block) => contains(block, address));
  ipv6 ??= { global: parseCidr(GLOBAL_UNICAST_IPV6), special: SPECIAL_IPV6.map(([cidr]) => parseCidr(cidr)) };
  return contains(ipv6.global, address) && !ipv6.special.some((block) => contains(block, address));
}

function contains({ network, bits }: Cidr, address: Ip): boolean {
  if (typeof network !== 'number') return typeof address !== 'number' && address.match(network, bits);
  return typeof address === 'number' && (bits === 0 || (address ^ network) >>> (32 - bits) === 0);
}

/** Zones are rejected here: ipaddr.js reads them too. */
function parseIp(text: string): Ip | null {
  if (IPV4.test(text)) return text.split('.').reduce((bits, octet) => (bits << 8) | Number(octet), 0);
  if (!IPV6_CHARS.test(text) || !text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text);
}
