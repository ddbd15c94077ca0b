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

const specialV4 = SPECIAL_IPV4.map(([cidr]) => parseCidr(cidr));
const specialV6 = SPECIAL_IPV6.map(([cidr]) => parseCidr(cidr));
const globalV6 = parseCidr(GLOBAL_UNICAST_IPV6);

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
  const [address = ''] = text.split('/', 1);
  const network = parseIp(address);
  if (network === null || !ipaddr.isValidCIDR(text)) throw new Error('not an address range in the form address/bits');
  return { network, bits: ipaddr.parseCIDR(text)[1] };
}

export function inCidr(range: Cidr, ip: string): boolean {
  const address = parseIp(ip);
  return address !== null && contains(range, address);
}

function isRoutable(address: Ip): boolean {
  if (typeof address === 'number') return !specialV4.some((block) => contains(block, address));
  return contains(globalV6, address) && !specialV6.some((block) => contains(block, address));
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
