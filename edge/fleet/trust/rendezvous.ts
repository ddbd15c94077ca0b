import { receiverOf } from './receiver.ts';

/**
 * The rank of a host, in (0, 1): the host that ranks highest for a domain of an account gets it (rendezvous hashing).
 * Every call ranks alike in every object, so that the next one finds the sessions of the one before, and servers that
 * greylist see the same address again. A host that joins takes its share from each of the others, and the domains of one
 * that leaves are spread over all that stay.
 */
export type LotOf = (account: number, domain: number, host: string) => number;

/** @param secret who does not know it cannot tell which host a domain gets */
export function lotsOf(secret: string): LotOf {
  const seed = receiverOf(secret);
  return (account, domain, host) => (mixed(mixed(mixed(seed ^ account) ^ domain) ^ receiverOf(host)) + 0.5) / 2 ** 32;
}

/** The finalizer of MurmurHash3: each bit of the 32 changes half of them. */
function mixed(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
