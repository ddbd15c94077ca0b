import type { Evidence } from '../../schema/evidence.ts';
import { findOptedOut } from '../opt-out/find-opted-out.ts';
import type { Call } from '../base/call.ts';
import type { AddressIndex } from '../base/indexes.ts';
import type { Address } from './entries.ts';
import { type AddressEvidence, UNPROBED } from './judge.ts';

/** The evidence for an address whose domain opted out: nothing was looked up. */
const OPTED_OUT: Evidence = { ...UNPROBED, outcome: { kind: 'opted_out' } };

/** The addresses whose domains opted out. @throws what D1 throws */
export async function optedOutAmong(call: Call, addresses: readonly Address[]): Promise<ReadonlySet<AddressIndex>> {
  const domains = await findOptedOut(
    call,
    addresses.map(({ domain }) => domain),
  );
  return new Set(addresses.flatMap(({ index, domain }) => (domains.has(domain) ? [index] : [])));
}

/** Yields the evidence of opted-out addresses before that of the others. */
export async function* withOptedOut(
  optedOut: ReadonlySet<AddressIndex>,
  probed: AsyncIterable<readonly AddressEvidence[]>,
): AsyncGenerator<readonly AddressEvidence[], void> {
  yield [...optedOut].map((address) => ({ address, evidence: OPTED_OUT }));
  yield* probed;
}
