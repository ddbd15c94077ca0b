import type { Outcome } from '../../schema/evidence.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import type { Config } from '../base/config.ts';
import type { AddressIndex } from '../base/indexes.ts';
import type { Entries, Slot } from './entries.ts';
import { type Known, UNPROBED } from './judge.ts';

// What a request costs: before anything is known of its addresses, and once it is.

/** What is charged: as the operator chose, or nothing, for a test key. */
export type Charge = Config['CHARGE'] | 'nothing';

/** What is held: an address once if probed addresses are charged, else every slot. Pure. */
export function priceOf(entries: Entries, charge: Config['CHARGE']): number {
  return charge === 'probed' ? entries.addresses.length : entries.slots.length;
}

/**
 * What the given slots cost now that the evidence is known: an address once if probed addresses are charged, else
 * every slot; nothing if the credit goes back.
 * @param paid addresses that were charged before; those of these slots are added
 */
export function costOf(
  slots: readonly Slot[],
  known: Known,
  charge: Charge,
  paid: Set<AddressIndex> = new Set(),
): number {
  if (charge === 'nothing') return 0;
  let credits = 0;
  for (const slot of slots) {
    if (slot.kind !== 'address') {
      if (charge === 'entries') credits += 1;
      continue;
    }
    if (earnsCreditBack((known.get(slot.address) ?? UNPROBED).outcome)) continue;
    if (charge === 'entries' || !paid.has(slot.address)) credits += 1;
    paid.add(slot.address);
  }
  return credits;
}

/** Whether the credit of an address goes back: the probe was refused before the address was evaluated, or never made. */
export function earnsCreditBack(outcome: Outcome): boolean {
  return isRefunded(outcome);
}
