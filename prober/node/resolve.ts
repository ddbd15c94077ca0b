import { isIP } from 'node:net';
import type { AddressAnswer, MxRecord, Resolve, Resolved } from '../engine/ports/ports.ts';
import { createScopes, type ResolveOptions, type Scope } from './scope.ts';

/** Whatever the servers do, a lookup ends after this; about what two tries at two silent servers take. */
const LOOKUP_MS_MAX = 10_000;
/** Of a longer answer the most preferred count. */
const MX_RECORDS_MAX = 100;
/** Per family. */
const ADDRESSES_MAX = 32;
/** A host name as DNS has it, underscores allowed because real MX records have them. */
const HOST_NAME = /^[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const NAME_OCTETS_MAX = 253;
/** RFC 6761 §6.3: these names are the host itself and never asked about. */
const LOCALHOST = /(^|\.)localhost$/;

type Answer<T> =
  | { readonly kind: 'found'; readonly records: readonly T[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'failed' };

/**
 * The DNS port over node:dns. Names are asked for as they are: no search list, no hosts file, no cache.
 * An aborted lookup answers at once as one that failed.
 */
export function createResolve(options: ResolveOptions): Resolve {
  const scopeOf = createScopes(options);

  return {
    async mx(domain, signal) {
      const scope = scopeOf(domain);
      if (!asksDns(domain, scope)) return { kind: 'nxdomain' };
      const answer = await ask(scope, signal, (resolver) => resolver.resolveMx(domain));
      if (answer.kind !== 'found') return answer;
      return { kind: 'found', records: byPreference(answer.records) };
    },

    async addresses(host, signal): Promise<AddressAnswer> {
      const scope = scopeOf(host);
      if (!asksDns(host, scope)) return { addresses: [], certain: true };
      const answers = await Promise.all([
        ask(scope, signal, (resolver) => resolver.resolve4(host)),
        ask(scope, signal, (resolver) => resolver.resolve6(host)),
      ]);
      return {
        addresses: answers.flatMap((answer) => resolvedFrom(answer, scope.declared)),
        certain: answers.every((answer) => answer.kind !== 'failed'),
      };
    },
  };
}

function asksDns(name: string, scope: Scope): boolean {
  if (name.length > NAME_OCTETS_MAX || !HOST_NAME.test(name) || isIP(name) !== 0) return false;
  return scope.stub || !LOCALHOST.test(name);
}

/**
 * An exchange that is no host name stays, in whatever form c-ares escapes it: a domain with nothing but such has MX
 * records, and is neither one without nor one with a null MX. The engine neither shows nor dials it.
 */
function byPreference(records: ReadonlyArray<{ readonly exchange: string; readonly priority: number }>): MxRecord[] {
  return records
    .map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase().replace(/\.$/, ''), preference: priority }))
    .toSorted((a, b) => a.preference - b.preference)
    .slice(0, MX_RECORDS_MAX);
}

function resolvedFrom(answer: Answer<string>, declared: boolean): Resolved[] {
  if (answer.kind !== 'found') return [];
  return answer.records.slice(0, ADDRESSES_MAX).map((ip) => ({ ip, declared }));
}

/** Asks the scope's servers until one answers, the time is over or the signal fires. */
function ask<T>(
  scope: Scope,
  signal: AbortSignal,
  query: (resolver: Scope['resolvers'][number]) => Promise<readonly T[]>,
): Promise<Answer<T>> {
  if (signal.aborted) return Promise.resolve({ kind: 'failed' });
  return new Promise((resolve) => {
    const settle = (answer: Answer<T>): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const giveUp = (): void => settle({ kind: 'failed' });
    const timer = setTimeout(giveUp, LOOKUP_MS_MAX);
    signal.addEventListener('abort', giveUp);
    void firstAnswer(scope, signal, query).then(settle);
  });
}

/** c-ares goes on to the next server when one is silent, but takes SERVFAIL or REFUSED for an answer: not so here. */
async function firstAnswer<T>(
  scope: Scope,
  signal: AbortSignal,
  query: (resolver: Scope['resolvers'][number]) => Promise<readonly T[]>,
): Promise<Answer<T>> {
  for (const resolver of scope.resolvers) {
    if (signal.aborted) break;
    try {
      const records = await query(resolver);
      return records.length === 0 ? { kind: 'none' } : { kind: 'found', records };
    } catch (error) {
      const kind = kindOf(error);
      if (kind !== 'refused') return { kind };
    }
  }
  return { kind: 'failed' };
}

/** `refused`: this server will not say; `failed`: no server said anything, or what it said cannot be read. */
function kindOf(error: unknown): 'none' | 'nxdomain' | 'refused' | 'failed' {
  if (!(error instanceof Error) || !('code' in error)) return 'failed';
  switch (error.code) {
    case 'ENOTFOUND':
      return 'nxdomain';
    case 'ENODATA':
      return 'none';
    case 'ESERVFAIL':
    case 'EREFUSED':
    case 'ENOTIMP':
    case 'EFORMERR':
    case 'EBADRESP':
      return 'refused';
    default:
      return 'failed';
  }
}
