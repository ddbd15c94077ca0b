import { isRefunded } from '../../schema/outcomes.ts';
import type { Config } from '../base/config.ts';
import type { AddressIndex, SlotIndex } from '../base/indexes.ts';
import type { Entries, Slot } from './entries.ts';
import { type Known, UNPROBED } from './judge.ts';

// What a request costs: before anything is known about its addresses, and afterwards.

/**
 * The elements that cost a credit each: the first of each address if probed addresses are charged, else every one. Pure.
 */
export function billable({ slots }: Entries, charge: Config['CHARGE']): readonly SlotIndex[] {
  if (charge === 'entries') return slots.map(({ index }) => index);
  const first = new Map<AddressIndex, SlotIndex>();
  for (const slot of slots)
    if (slot.kind === 'address' && !first.has(slot.address)) first.set(slot.address, slot.index);
  return [...first.values()];
}

/**
 * Which of the given elements are charged now that the evidence is known: those that are due, except for refunded
 * addresses. Pure.
 * @param due what credits are held for: the billable elements that were not charged before
 */
export function chargedOf(slots: readonly Slot[], known: Known, due: ReadonlySet<SlotIndex>): readonly SlotIndex[] {
  return slots.filter((slot) => due.has(slot.index) && !isFree(slot, known)).map(({ index }) => index);
}

function isFree(slot: Slot, known: Known): boolean {
  return slot.kind === 'address' && isRefunded((known.get(slot.address) ?? UNPROBED).outcome);
}
