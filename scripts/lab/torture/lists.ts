// The lists of a run, and what a customer may expect of each: the true result of every entry, and what it costs. Each
// address is in one list only, so that every RCPT can be laid to it.

export const ZONE = 'torture.example';
/** Mail servers, each with a domain of its own. The last ones refuse every client at their greeting. */
export const SERVERS = 256;
export const REFUSING = 16;
const DOMAINS_PER_LIST = 2;
const NO_ADDRESS = 'no address at all';

/** What of a result tells its truth and its price. */
export type Result = { readonly email: string; readonly result: string; readonly reason: string | null };

export type Price = { readonly least: number; readonly most: number };

/**
 * A list that nobody was given before. Of each mailbox its name says whether it exists. One entry is no address, one is
 * there twice, and one is at a server that refuses us: all three have a price of their own.
 * @param n counts the lists
 * @param length at least five
 * @param waits whether there is one at a server that refuses us: after the first refusal it is asked later
 */
export function newList(n: number, length: number, waits = true): readonly string[] {
  const open = SERVERS - REFUSING;
  const mailboxes = Array.from({ length: length - (waits ? 3 : 2) }, (_, at) => {
    const server = (n * DOMAINS_PER_LIST + (at % DOMAINS_PER_LIST)) % open;
    return `${(n + at) % 2 === 0 ? 'y' : 'n'}${n}-${at}@d${server}.${ZONE}`;
  });
  const refused = `y${n}-r@d${open + (n % REFUSING)}.${ZONE}`;
  return [...mailboxes, NO_ADDRESS, ...mailboxes.slice(0, 1), ...(waits ? [refused] : [])];
}

/** Whether a result is the truth, says that its time ran out, or is neither. */
export function judge({ email, result, reason }: Result): 'true' | 'late' | 'wrong' {
  if (isTrue(email, result, reason)) return 'true';
  return result === 'unknown' && reason === 'timeout' ? 'late' : 'wrong';
}

function isTrue(email: string, result: string, reason: string | null): boolean {
  if (email === NO_ADDRESS) return result === 'undeliverable' && reason === 'invalid_syntax';
  if (isRefused(email)) return result === 'unknown' && reason === 'no_banner';
  return result === (email.startsWith('y') ? 'deliverable' : 'undeliverable');
}

/** Whether an address is at a server that refuses us. */
export function isRefused(email: string): boolean {
  return Number(/@d(\d+)\./.exec(email)?.[1] ?? 0) >= SERVERS - REFUSING;
}

/**
 * What the interface says that a list costs, without a look at how the service reckons: each probed address once, nothing
 * for what is not an address or is refused to us. What a deadline cut off was probed or not: a result does not tell.
 */
export function priceOf(results: readonly Result[]): Price {
  const distinct = new Map(results.map((one) => [one.email, one]));
  const price = { least: 0, most: 0 };
  for (const one of distinct.values()) {
    const kind = judge(one);
    if (one.email === NO_ADDRESS || (isRefused(one.email) && kind === 'true')) continue;
    price.most += 1;
    if (kind !== 'late') price.least += 1;
  }
  return price;
}
