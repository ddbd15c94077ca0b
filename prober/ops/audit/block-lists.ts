import type { Resolve } from '../../engine/ports/ports.ts';
import { type Finding, mend, NO_ANSWER, ok, unknown } from './findings.ts';
import { backwards } from '../../node/reverse-name.ts';

/** Lists that many receivers use, each with the page for looking up and removing an address. */
export const BLOCK_LISTS = [
  { zone: 'zen.spamhaus.org', page: 'https://check.spamhaus.org/' },
  { zone: 'bl.spamcop.net', page: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'b.barracudacentral.org', page: 'https://www.barracudacentral.org/lookups' },
  { zone: 'psbl.surriel.com', page: 'https://psbl.org/' },
] as const;

/** RFC 5782 §2.1: an entry is an address of 127.0.0.0/8. */
const LISTED = /^127\.(?!255\.255\.)/;
/** How a list refuses to answer a resolver, such as that of a large hosting provider: the result is then unknown. */
const BLIND = /^127\.255\.255\./;

/** Whether an address of ours is on the lists: asked through this host's own resolver. */
export function checkBlockLists(
  resolve: Pick<Resolve, 'addresses'>,
  ip: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  return Promise.all(BLOCK_LISTS.map((list) => checkList(resolve, ip, list, signal)));
}

async function checkList(
  resolve: Pick<Resolve, 'addresses'>,
  ip: string,
  { zone, page }: (typeof BLOCK_LISTS)[number],
  signal: AbortSignal,
): Promise<Finding> {
  const { addresses, certain } = await resolve.addresses(`${backwards(ip)}.${zone}`, signal);
  const said = addresses.map((address) => address.ip);
  if (said.some((code) => BLIND.test(code)))
    return unknown('listed', ip, `${zone} does not answer this resolver; run your own, or get a key for the list`);
  const listed = said.filter((code) => LISTED.test(code));
  if (listed.length > 0)
    return mend('listed', ip, `is on ${zone} (${listed.join(', ')}): see ${page} for the reason and for removal`);
  return certain ? ok('listed', ip, `is not on ${zone}`) : unknown('listed', ip, `${zone}: ${NO_ANSWER}`);
}
