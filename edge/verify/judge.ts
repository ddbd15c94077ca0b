import { meantAddress } from '../../schema/address.ts';
import type { InvalidEntry } from '../../schema/api.ts';
import type { Evidence } from '../../schema/evidence.ts';
import { isOurFault } from '../../schema/outcomes.ts';
import { judge } from '../../schema/verdict.ts';
import { type VerificationResult, notAnAddress } from '../../schema/words/result.ts';
import type { AddressIndex } from '../base/indexes.ts';
import type { Entries, Slot } from './entries.ts';

/** What an answer contains for one entry. */
export type Element = VerificationResult | InvalidEntry;

/** Evidence for an address of which none arrived before the batch had to end. */
export const UNPROBED: Evidence = {
  mx: [],
  mxFound: false,
  signals: { disposable: false, free: false, role: false, typoOf: null },
  outcome: { kind: 'unprobed', why: 'deadline', waitS: null },
};

/** Evidence of one address of the request. */
export type AddressEvidence = { readonly address: AddressIndex; readonly evidence: Evidence };

/** Evidence by address, as far as it has arrived. */
export type Known = ReadonlyMap<AddressIndex, Evidence>;

export function judgeSlot(slot: Slot, known: Known): Element {
  switch (slot.kind) {
    case 'no_text':
      return { email: slot.entry, error: 'invalid' };
    case 'no_address':
      return notAnAddress(slot.email, meantAddress(slot.email));
    case 'address':
      return judge(slot, known.get(slot.address) ?? UNPROBED);
  }
}

/**
 * Whether the verification failed: there are addresses, and none of them was probed through a fault of ours. A receiver
 * that must be left alone for now is not our fault.
 */
export function isFailure(entries: Entries, known: Known): boolean {
  const { addresses } = entries;
  return addresses.length > 0 && addresses.every(({ index }) => isOurFault((known.get(index) ?? UNPROBED).outcome));
}
