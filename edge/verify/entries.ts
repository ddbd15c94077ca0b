import { parseAddress, spelling } from '../../schema/address.ts';

/** What one entry of a request is, in the order of the request. */
export type Slot =
  /** No JSON string: echoed as it is. */
  | { readonly kind: 'no_text'; readonly entry: unknown }
  | { readonly kind: 'no_address'; readonly email: string }
  /** `index`: which of the distinct addresses it is. Spelling and local part are this slot's own. */
  | { readonly kind: 'address'; readonly email: string; readonly local: string; readonly index: number };

export type Entries = {
  readonly slots: readonly Slot[];
  /** Each address once: local part and domain as they go on the wire. */
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
};

/** Sorts the entries of a request: what is an address, and which are the same one. Pure. */
export function sortEntries(entries: readonly unknown[]): Entries {
  const addresses: Array<readonly [string, string]> = [];
  const seen = new Map<string, number>();
  const slots = entries.map((entry): Slot => {
    if (typeof entry !== 'string') return { kind: 'no_text', entry };
    const address = parseAddress(entry);
    if (address === null) return { kind: 'no_address', email: spelling(entry) };
    let index = seen.get(address.identity);
    if (index === undefined) {
      index = addresses.push([address.local, address.domain]) - 1;
      seen.set(address.identity, index);
    }
    return { kind: 'address', email: address.email, local: address.local, index };
  });
  return { slots, addresses };
}
