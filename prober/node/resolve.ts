import type { Account, AddressAnswer, MxRecord, Random, Resolve, Resolved } from '../engine/ports/ports.ts';
import { lookUp, type LookUpResult } from './dns/look-up.ts';
import type { DnsRecord, RecordType } from './dns/message.ts';
import type { Asker } from './dns/fair-semaphore.ts';
import type { TellError } from '../base/exhaustion.ts';
import { asksDns, createScopes, type ResolveOptions, type Scope } from './scope.ts';

/** Of a longer answer the most preferred count. */
const MX_RECORDS_MAX = 100;
/** Per family. */
const ADDRESSES_MAX = 32;

/**
 * Gives each account a DNS port of its own: all share the same servers, and wait for them in turn by account. That of
 * `host` is for what the host asks for itself, a few names at a time: it waits for nobody.
 */
export type ResolveFor = (account: Account | 'host') => Resolve;

/**
 * The DNS port. Names are asked for as they are: no search list, no hosts file, no cache. A look-up waits for its turn,
 * then takes 5 s at most; when its signal fires it answers at once as one that failed, and nothing of it goes on.
 * @param onError is told of errors of sockets
 */
export function createResolve(options: ResolveOptions, random: Random, onError?: TellError): ResolveFor {
  const scopeOf = createScopes(options, random, onError);

  return (account) => {
    const asker = account === 'host' ? account : { account };
    return {
      async mx(domain, signal) {
        const scope = scopeOf(domain);
        if (!asksDns(domain, scope)) return { kind: 'nxdomain' };
        const answer = await ask(scope, asker, { name: domain, type: 'MX' }, signal);
        if (answer.kind !== 'found') return answer;
        return { kind: 'found', records: byPreference(answer.records) };
      },

      async addresses(host, signal, family): Promise<AddressAnswer> {
        const scope = scopeOf(host);
        if (!asksDns(host, scope)) return { addresses: [], certain: true };
        const of = async (type: 'A' | 'AAAA'): Promise<AddressAnswer> =>
          addressesIn(await ask(scope, asker, { name: host, type }, signal), scope.declared);
        if (family !== undefined) return of(family === 4 ? 'A' : 'AAAA');
        const [v4, v6] = await Promise.all([of('A'), of('AAAA')]);
        return { addresses: [...v4.addresses, ...v6.addresses], certain: v4.certain && v6.certain };
      },
    };
  };
}

/** Waits for the asker's turn and asks the scope's servers. */
export async function ask(
  { servers, lookUps }: Scope,
  asker: Asker<Account> | 'host',
  question: { readonly name: string; readonly type: RecordType },
  signal: AbortSignal,
): Promise<LookUpResult> {
  if (asker === 'host') return lookUp(servers, question, signal);
  const acquired = lookUps.acquire(asker, signal);
  const permit = acquired instanceof Promise ? await acquired : acquired;
  if (permit === 'aborted') return { kind: 'failed' };
  try {
    return await lookUp(servers, question, signal);
  } finally {
    permit();
  }
}

/**
 * An exchange that is not a host name stays as it is: a domain with nothing but such has MX records, and is neither one
 * without nor one with a null MX. The engine neither shows nor dials it.
 */
function byPreference(records: readonly DnsRecord[]): MxRecord[] {
  const exchanges: MxRecord[] = [];
  for (const record of records)
    if (record.type === 'MX') exchanges.push({ exchange: record.exchange, preference: record.preference });
  return exchanges.toSorted((a, b) => a.preference - b.preference).slice(0, MX_RECORDS_MAX);
}

function addressesIn(answer: LookUpResult, declared: boolean): AddressAnswer {
  if (answer.kind !== 'found') return { addresses: [], certain: answer.kind !== 'failed' };
  const addresses: Resolved[] = [];
  for (const record of answer.records)
    if (record.type !== 'MX' && addresses.length < ADDRESSES_MAX) addresses.push({ ip: record.data, declared });
  return { addresses, certain: true };
}
