import { parseAddress } from '../../schema/address.ts';
import { spelling } from '../../schema/words/result.ts';
import { type AddressIndex, addressIndex, type SlotIndex, slotIndex } from '../base/indexes.ts';

/** One entry of a request; slots are in the order of the request. */
export type Slot =
  /** Not a JSON string: echoed as it is. */
  | (InRequest & { readonly kind: 'no_text'; readonly entry: unknown })
  | (InRequest & { readonly kind: 'no_address'; readonly email: string })
  /** `address`: which of the distinct addresses it is. Spelling and local part are those of this slot. */
  | (InRequest & {
      readonly kind: 'address';
      readonly email: string;
      readonly local: string;
      readonly address: AddressIndex;
    });
type InRequest = { readonly index: SlotIndex };

/** One of the distinct addresses of a request: local part and domain as sent on the wire. */
export type Address = { readonly index: AddressIndex; readonly local: string; readonly domain: string };

export type Entries = { readonly slots: readonly Slot[]; readonly addresses: readonly Address[] };

/** Sorts the entries of a request into addresses and others, and finds duplicates. Pure. */
export function sortEntries(entries: readonly unknown[]): Entries {
  const addresses = new Map<string, Address>();
  const slots = entries.map((entry, place): Slot => {
    const index = slotIndex(place);
    if (typeof entry !== 'string') return { index, kind: 'no_text', entry };
    const parsed = parseAddress(entry);
    if (parsed === null) return { index, kind: 'no_address', email: spelling(entry) };
    const { email, local, domain, identity } = parsed;
    const address = addresses.get(identity) ?? { index: addressIndex(addresses.size), local, domain };
    addresses.set(identity, address);
    return { index, kind: 'address', email, local, address: address.index };
  });
  return { slots, addresses: [...addresses.values()] };
}
