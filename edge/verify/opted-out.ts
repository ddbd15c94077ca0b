import type { Evidence } from '../../schema/evidence.ts';
import { findOptedOut } from '../opt-out/find-opted-out.ts';
import type { Call } from '../base/call.ts';
import type { FleetJob } from '../base/fleet-protocol.ts';
import { type AddressIndex, batchIndexes } from '../base/indexes.ts';
import type { Address } from './entries.ts';
import type { Found } from './fleet-lines.ts';
import { type AddressEvidence, UNPROBED } from './judge.ts';

/** What is known of an address whose domain opted out: nothing was looked up. */
const OPTED_OUT: Evidence = { ...UNPROBED, outcome: { kind: 'opted_out' } };

/**
 * The addresses whose domains opted out.
 * @throws what D1 throws
 */
export async function optedOutAmong(call: Call, addresses: readonly Address[]): Promise<ReadonlySet<AddressIndex>> {
  const domains = await findOptedOut(
    call,
    addresses.map(({ domain }) => domain),
  );
  return new Set(addresses.flatMap(({ index, domain }) => (domains.has(domain) ? [index] : [])));
}

/**
 * Answers for those who opted out, and has the others probed.
 * @param probe is given the others alone, which are the batch
 */
export async function* withoutOptedOut(
  addresses: readonly Address[],
  optedOut: ReadonlySet<AddressIndex>,
  probe: (batch: FleetJob['addresses']) => AsyncIterable<readonly Found[]>,
): AsyncGenerator<readonly AddressEvidence[], void> {
  if (optedOut.size > 0) yield [...optedOut].map((address) => ({ address, evidence: OPTED_OUT }));
  const others = addresses.filter(({ index }) => !optedOut.has(index));
  const addressOf = new Map(batchIndexes(others.length).map((index) => [index, others[index]?.index]));
  for await (const news of probe(others.map(({ local, domain }) => [local, domain])))
    yield news.flatMap(({ index, evidence }) => {
      const address = addressOf.get(index);
      return address === undefined ? [] : [{ address, evidence }];
    });
}
