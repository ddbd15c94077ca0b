import { hostname, networkInterfaces } from 'node:os';
import { toALabels } from '../../schema/address.ts';

/** How a host without a configured EHLO name introduces itself, and where mail to its envelope sender would go. */
export type OwnHelo = { readonly heloName: string; readonly mailDomain: string };

/**
 * This machine's own name. One without a dot cannot be looked up, and many servers reject it: then an address literal
 * replaces it (RFC 5321 §4.1.4). @param addresses the machine's IPv4 addresses except loopback
 */
export function ownHelo(name: string = hostname(), addresses: readonly string[] = ownAddresses()): OwnHelo {
  const known = toALabels(name.toLowerCase().replace(/\.$/, '')) ?? 'localhost';
  if (known.includes('.')) return { heloName: known, mailDomain: known };
  return { heloName: `[${addresses[0] ?? '127.0.0.1'}]`, mailDomain: known };
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
