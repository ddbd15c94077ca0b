import ipaddr from 'ipaddr.js';
import type { Resolve } from '../../engine/ports/ports.ts';
import type { LookUpResult } from '../../node/dns/look-up.ts';
import { ask } from '../../node/resolve.ts';
import { asksDns, createScopes, type ResolveOptions } from '../../node/scope.ts';

/** Of a longer answer the rest is not looked at. */
const RECORDS_MAX = 50;

export type Records =
  | { readonly kind: 'found'; readonly records: readonly string[] }
  /** No such name, or no such record. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' };

/** What the audit asks DNS: the engine's lookups, text records and names of addresses. */
export type Names = Resolve & {
  /** The strings of one record are joined without anything between (RFC 7208 §3.3). */
  txt(name: string, signal: AbortSignal): Promise<Records>;
  /** In lower case without the last dot. */
  ptr(ip: string, signal: AbortSignal): Promise<Records>;
};

/** The audit's look-ups, with the same resolvers and stub zones as the engine's. */
export function createNames(resolve: Resolve, options: ResolveOptions): Names {
  const scopeOf = createScopes(options);
  const records = async (type: 'TXT' | 'PTR', spelling: string, signal: AbortSignal): Promise<Records> => {
    const name = spelling.toLowerCase();
    const scope = scopeOf(name);
    if (!asksDns(name, scope)) return { kind: 'none' };
    const answer = await new Promise<LookUpResult>((done) => ask(scope, 'host', { name, type }, signal, done));
    if (answer.kind === 'failed') return answer;
    if (answer.kind !== 'found') return { kind: 'none' };
    const found = answer.records.flatMap((record) => (record.type === type ? [record.data] : []));
    return { kind: 'found', records: found.slice(0, RECORDS_MAX) };
  };
  return {
    ...resolve,
    txt: (name, signal) => records('TXT', name, signal),
    ptr: (ip, signal) => records('PTR', reverseName(ip), signal),
  };
}

/** The name under which an address has its own (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(ip: string): string {
  return `${backwards(ip)}.${ipaddr.parse(ip).kind() === 'ipv4' ? 'in-addr' : 'ip6'}.arpa`;
}

/** An address's bytes or nibbles from the last to the first, as labels: block lists name it so too (RFC 5782 §2.1, §2.4). */
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
