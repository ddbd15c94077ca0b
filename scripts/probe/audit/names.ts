import ipaddr from 'ipaddr.js';
import type { Resolve } from '../../../prober/engine/ports/ports.ts';
import { createScopes, type ResolveOptions, type Scope } from '../../../prober/node/scope.ts';

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

/** The audit's lookups over node:dns, with the same resolvers and stub zones as the engine's. */
export function createNames(resolve: Resolve, options: ResolveOptions): Names {
  const scopeOf = createScopes(options);
  return {
    ...resolve,
    txt(name, signal) {
      return ask(scopeOf(name), signal, async (resolver) => {
        const records = await resolver.resolveTxt(name);
        return records.map((strings) => strings.join(''));
      });
    },
    ptr(ip, signal) {
      // Not Resolver.reverse, which reads the hosts file.
      const name = reverseName(ip);
      return ask(scopeOf(name), signal, async (resolver) => {
        const records = await resolver.resolvePtr(name);
        return records.map((record) => record.toLowerCase().replace(/\.$/, ''));
      });
    },
  };
}

/** The name under which an address has its own (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(ip: string): string {
  const address = ipaddr.parse(ip);
  if (address.kind() === 'ipv4') return `${address.toByteArray().toReversed().join('.')}.in-addr.arpa`;
  const nibbles = address.toByteArray().flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .toReversed()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`;
}

async function ask(
  scope: Scope,
  signal: AbortSignal,
  query: (resolver: Scope['resolvers'][number]) => Promise<readonly string[]>,
): Promise<Records> {
  for (const resolver of scope.resolvers) {
    if (signal.aborted) break;
    try {
      const records = await query(resolver);
      return records.length === 0 ? { kind: 'none' } : { kind: 'found', records: records.slice(0, RECORDS_MAX) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none' };
    }
  }
  return { kind: 'failed' };
}
