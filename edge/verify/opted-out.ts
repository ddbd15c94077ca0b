import type { Evidence } from '../../schema/evidence.ts';
import { findOptedOut } from '../opt-out/find-opted-out.ts';
import type { Call } from '../base/call.ts';
import type { Entries } from './entries.ts';
import type { Found } from './fleet-lines.ts';
import { UNPROBED } from './judge.ts';

type Addresses = Entries['addresses'];

/** What is known of an address whose domain opted out: nothing was looked up. */
const OPTED_OUT: Evidence = { ...UNPROBED, outcome: { kind: 'opted_out' } };

/**
 * The indexes of the addresses whose domains opted out, in their order.
 * @throws what D1 throws
 */
export async function optedOutAmong(call: Call, addresses: Addresses): Promise<readonly number[]> {
  const domains = await findOptedOut(
    call,
    addresses.map(([, domain]) => domain),
  );
  if (domains.size === 0) return [];
  return addresses.flatMap(([, domain], index) => (domains.has(domain) ? [index] : []));
}

/**
 * Answers for those who opted out, and has the others probed.
 * @param probe is given the others alone, and numbers them by their places among themselves
 */
export async function* withoutOptedOut(
  addresses: Addresses,
  optedOut: readonly number[],
  probe: (others: Addresses) => AsyncIterable<readonly Found[]>,
): AsyncGenerator<readonly Found[], void> {
  const left = new Set(optedOut);
  const places = [...addresses.keys()].filter((index) => !left.has(index));
  yield optedOut.map((index) => ({ index, evidence: OPTED_OUT }));
  for await (const news of probe(places.flatMap((index) => addresses.slice(index, index + 1))))
    yield news.flatMap(({ index, evidence }) => {
      const place = places[index];
      return place === undefined ? [] : [{ index: place, evidence }];
    });
}
