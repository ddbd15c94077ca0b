import { type AccountClass, FREE_PART } from '../../../../schema/shares.ts';

/**
 * Who gives one up when too many things are kept: the account that has the most; while free accounts together have more than
 * their part, the one of them that has the most. One look at each account.
 * @param shelves what is kept, by account
 * @param max kept for all accounts together
 */
export function giverOf<S extends { readonly accountClass: AccountClass }>(
  shelves: Iterable<S>,
  sizeOf: (shelf: S) => number,
  max: number,
): S | null {
  let ofFree = 0;
  let most: S | null = null;
  let mostOfFree: S | null = null;
  for (const shelf of shelves) {
    const size = sizeOf(shelf);
    if (most === null || size > sizeOf(most)) most = shelf;
    if (shelf.accountClass !== 'free') continue;
    ofFree += size;
    if (mostOfFree === null || size > sizeOf(mostOfFree)) mostOfFree = shelf;
  }
  return ofFree > max * FREE_PART ? mostOfFree : most;
}
