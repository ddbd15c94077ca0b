/**
 * The account that gives one up when too many things are kept: the one that has the most. One look at each account.
 * @param shelves what is kept, by account
 */
export function giverOf<S>(shelves: Iterable<S>, sizeOf: (shelf: S) => number): S | null {
  let most: S | null = null;
  for (const shelf of shelves) if (most === null || sizeOf(shelf) > sizeOf(most)) most = shelf;
  return most;
}
