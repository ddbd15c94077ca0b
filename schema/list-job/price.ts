import type { Requests } from '../client/journal/requests.ts';

/** What a list may cost from here on, by its journal. */
export type Price = {
  /** Addresses without a result: a credit each, at most. */
  readonly left: number;
  /** Credits that ended requests have cost, or may have. */
  readonly spent: number;
  /** Entries of requests whose bill was not read: asking for it again costs nothing. */
  readonly open: number;
  /** Those of them without a result, by their numbers. */
  readonly awaited: ReadonlySet<number>;
};

/**
 * @param addresses of the list, numbered from 0
 * @param isKnown whether an address has a result
 */
export function priceOf(addresses: number, isKnown: (number: number) => boolean, { open, spent }: Requests): Price {
  let left = 0;
  for (let number = 0; number < addresses; number += 1) if (!isKnown(number)) left += 1;
  const entries = open.flatMap((request) => request.entries.map(({ index }) => index));
  const awaited = new Set(entries.filter((index) => !isKnown(index)));
  return { left, spent: spent.charged + spent.unconfirmed, open: entries.length, awaited };
}

/** The price of the whole list, as the client counts it: what is spent, what is in open requests, and what was never asked. */
export function ceilingOf({ spent, open, left, awaited }: Price): number {
  return spent + open + left - awaited.size;
}
