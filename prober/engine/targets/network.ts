import type { Family } from './routable.ts';

const V6_GROUPS = 3;

/**
 * The network that a mail host's owner has all of, as a rule: the /24 of an IPv4 address, the /48 of an IPv6 address.
 * @param ip in canonical spelling (see `canonicalIp`)
 */
export function networkOf(ip: string, family: Family): string {
  if (family === 4) return ip.slice(0, ip.lastIndexOf('.'));
  // `::` stands for as many groups of zeros as are missing. One among the first three is spelt out.
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : V6_GROUPS - groups.length;
  return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, V6_GROUPS).join(':');
}
