import type { TellError } from '../base/exhaustion.ts';
import type { Ends } from '../engine/ports/cancel.ts';
import type { AddressAnswer, MxAnswer, Resolve, Resolved } from '../engine/ports/ports.ts';
import { lookUp, type LookUpResult } from './look-up.ts';
import type { Asker, Question } from './dns-server.ts';
import { reverseName } from './reverse-name.ts';
import { asksDns, createScopes, type ResolveOptions, type Scope } from './scope.ts';

/** Of a longer answer the most preferred records count. */
const MX_RECORDS_MAX = 100;
const ADDRESSES_MAX = 32;
/** The rest of a longer answer is ignored. */
const RECORDS_MAX = 50;

export type Records =
  | { readonly kind: 'found'; readonly records: readonly string[] }
  /** No such name, or no such record. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' };

/** What a host asks DNS: the engine's lookups and names of addresses. */
export type Names = Resolve & {
  /** In lower case without the last dot. */
  ptr(ip: string, signal: AbortSignal): Promise<Records>;
};

/** A DNS port for each account: they take turns. That of `host` is for the host's own few lookups and never waits. */
export type ResolveFor = (asker: Asker) => Names;

/**
 * Names are looked up as they are: no search list, no hosts file, no cache. A lookup waits for its turn, then takes at
 * most 5 s at each server; when its signal fires it fails at once. @param onError no descriptor is left
 */
export function createResolve(options: ResolveOptions, onError?: TellError): ResolveFor {
  const scopeOf = createScopes(options, onError);
  return (asker) => ({
    ptr(ip, signal) {
      const name = reverseName(ip);
      return ask(scopeOf(name), asker, { name, type: 'PTR' }, signal, namesIn);
    },

    mx(domain, signal) {
      const scope = scopeOf(domain);
      if (!asksDns(domain, scope)) return Promise.resolve({ kind: 'nxdomain' });
      return ask(scope, asker, { name: domain, type: 'MX' }, signal, mxIn);
    },

    addresses(host, signal, family) {
      const scope = scopeOf(host);
      if (!asksDns(host, scope)) return Promise.resolve({ addresses: [], certain: true });
      const of = (type: 'A' | 'AAAA'): Promise<AddressAnswer> =>
        ask(scope, asker, { name: host, type }, signal, addressesIn);
      if (family !== undefined) return of(family === 4 ? 'A' : 'AAAA');
      return Promise.all([of('A'), of('AAAA')]).then(([v4, v6]) => ({
        addresses: [...v4.addresses, ...v6.addresses],
        certain: v4.certain && v6.certain,
      }));
    },
  });
}

/** @param read makes the answer of what the scope's servers said */
function ask<Answer>(
  scope: Scope,
  asker: Asker,
  question: Question,
  signal: Ends,
  read: (result: LookUpResult, scope: Scope) => Answer,
): Promise<Answer> {
  return new Promise((resolve) =>
    lookUp(scope.servers, question, asker, signal, (result) => resolve(read(result, scope))),
  );
}

/**
 * An exchange that is not a host name stays as it is: a domain with only such exchanges has MX records, which is
 * neither no MX nor a null MX. The engine neither shows nor dials it.
 */
function mxIn(answer: LookUpResult): MxAnswer {
  if (answer.kind !== 'found') return answer;
  const exchanges = answer.records.filter((record) => typeof record !== 'string');
  exchanges.sort((a, b) => a.preference - b.preference);
  return { kind: 'found', records: exchanges.slice(0, MX_RECORDS_MAX) };
}

function namesIn(answer: LookUpResult): Records {
  if (answer.kind === 'failed') return answer;
  if (answer.kind !== 'found') return { kind: 'none' };
  const found = answer.records.filter((record) => typeof record === 'string');
  return { kind: 'found', records: found.slice(0, RECORDS_MAX) };
}

function addressesIn(answer: LookUpResult, { declared }: Scope): AddressAnswer {
  if (answer.kind !== 'found') return { addresses: [], certain: answer.kind !== 'failed' };
  const addresses: Resolved[] = [];
  for (const record of answer.records)
    if (typeof record === 'string' && addresses.length < ADDRESSES_MAX) addresses.push({ ip: record, declared });
  return { addresses, certain: true };
}
