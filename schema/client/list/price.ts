import { identityOf, mayBeAddress } from './entry.ts';
import { emailOf, type Listed } from './source.ts';

/** What a list costs, before anything is asked. */
export type Price = {
  readonly entries: number;
  /** Entries that differ. A deployment that charges every entry of a request charges at most this many. */
  readonly distinct: number;
  /**
   * Credits at most: the distinct entries that may be addresses. The service knows the rest: what is not a valid
   * address costs nothing, and credits come back for servers that refuse the service and for what was not probed. With
   * `rounds`, an address that is asked again may cost again: `maxCredits` is the ceiling for that.
   */
  readonly atMost: number;
};

/**
 * The price of a list that is given to the client as an array; as a stream it costs more if it has duplicates.
 * @throws RcptError INVALID_INPUT
 */
export function priceOf(list: Iterable<Listed>): Price {
  const seen = new Set<string>();
  let entries = 0;
  let atMost = 0;
  for (const input of list) {
    const email = emailOf(input, entries);
    const identity = identityOf(email);
    entries += 1;
    if (seen.has(identity)) continue;
    seen.add(identity);
    if (mayBeAddress(email)) atMost += 1;
  }
  return { entries, distinct: seen.size, atMost };
}
