import ipaddr from 'ipaddr.js';

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

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
export type Cidr = [network: Ip, bits: number];

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** The canonical spelling only: ipaddr.js also reads octal, hexadecimal and shortened ones. */
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
/** The dotted tail of an embedded IPv4 address is left out on purpose: such an address is never dialled. */
const IPV6 = /^[0-9a-f]*:[0-9a-f:]+$/i;
/** 2000::/3. */
const GLOBAL_UNICAST = { from: 0x2000, to: 0x3fff };

/** Reads an address: no zone, no octal or shortened IPv4, no name, which a socket would look up; null: none. */
export function judgeIp(text: string): JudgedIp | null {
  const address = parseIp(text);
  if (address === null) return null;
  if (address instanceof ipaddr.IPv4) return { ip: text, family: 4, isRoutable: address.range() === 'unicast' };
  const [first = 0] = address.parts;
  const isGlobal = first >= GLOBAL_UNICAST.from && first <= GLOBAL_UNICAST.to;
  return { ip: address.toRFC5952String(), family: 6, isRoutable: isGlobal && address.range() === 'unicast' };
}

/** Parses `address/bits`. Throws for anything else: ranges come from an operator's checked options or from data. */
export function parseCidr(text: string): Cidr {
  if (!ipaddr.isValidCIDR(text) || parseIp(text.slice(0, text.indexOf('/'))) === null)
    throw new Error('not an address range in the form address/bits');
  return ipaddr.parseCIDR(text);
}

export function inCidr([network, bits]: Cidr, ip: string): boolean {
  const address = parseIp(ip);
  return address !== null && address.kind() === network.kind() && address.match(network, bits);
}

/** Zones are rejected here: ipaddr.js reads them too. */
function parseIp(text: string): Ip | null {
  if (IPV4.test(text)) return ipaddr.IPv4.parse(text);
  return IPV6.test(text) && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
}
