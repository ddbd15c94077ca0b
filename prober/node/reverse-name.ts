import ipaddr from 'ipaddr.js';

/** The name that holds an address's own name (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(ip: string): string {
  return `${backwards(ip)}.${ipaddr.parse(ip).kind() === 'ipv4' ? 'in-addr' : 'ip6'}.arpa`;
}

/** An address's bytes or nibbles in reverse order, as labels: block lists use them too (RFC 5782 §2.1, §2.4). */
export function backwards(ip: string): string {
  const address = ipaddr.parse(ip);
  const bytes = address.toByteArray();
  if (address.kind() === 'ipv4') return bytes.toReversed().join('.');
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]);
  return nibbles
    .toReversed()
    .map((nibble) => nibble.toString(16))
    .join('.');
}
