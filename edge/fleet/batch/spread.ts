import type { HostRef, Hosts, Member } from '../trust/host.ts';

// Chooses the host for addresses that have none: pure. README.md says why.

/** The rank of a host for a domain: in (0, 1). */
export type Lot = (domain: number, host: string) => number;
export type Spread = {
  readonly lot: Lot;
  /** Addresses that a host was given lately, as a decaying count: finishing jobs fast earns a host no more of them. */
  readonly assignedTo: (host: HostRef) => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** No host gets more than this many times its fair share. */
const BOUND = 1.25;
/**
 * A host that holds less than this part of its slots is lightly loaded: it keeps its own domains, however little others
 * hold.
 */
const UNBURDENED = 1 / 40;

/**
 * Each domain votes for the host that ranks highest for it, among those that the whole batch would not overload.
 * @param domains the number of addresses of each
 * @param members the hosts to choose from
 * @returns the host with the votes of most addresses; null if there is none
 */
export function hostOf(
  domains: ReadonlyMap<number, number>,
  members: readonly Member[],
  { isAvoided }: Pick<Hosts, 'isAvoided'>,
  { lot, assignedTo }: Pick<Spread, 'lot' | 'assignedTo'>,
): Member | null {
  const welcome = members.filter((member) => !isAvoided(member));
  const candidates = welcome.length > 0 ? welcome : members;
  const size = sum(domains.values(), (addresses) => addresses);
  const held = (member: Member): number => member.addresses + assignedTo(member);
  const burden = (member: Member): number => (held(member) + size) / member.slots;
  const fairShare = (sum(candidates, held) + size) / sum(candidates, ({ slots }) => slots);
  const bound = Math.max(UNBURDENED, Math.min(1, BOUND * fairShare));
  const fits = candidates.filter((member) => burden(member) <= bound);
  if (fits.length === 0) return best(candidates, (member) => -burden(member));
  const votes = new Map<Member, number>();
  for (const [domain, addresses] of domains) {
    // Weighted: a host with twice the slots is drawn twice as often.
    const owner = best(fits, ({ slots, host }) => -slots / Math.log(lot(domain, host)));
    if (owner !== null) votes.set(owner, (votes.get(owner) ?? 0) + addresses);
  }
  return best(fits, (member) => votes.get(member) ?? 0);
}

/** The first of those with the highest value. */
function best(members: readonly Member[], valueOf: (member: Member) => number): Member | null {
  let [found, greatest]: [Member | null, number] = [null, -Infinity];
  for (const member of members) {
    const value = valueOf(member);
    if (found === null || value > greatest) [found, greatest] = [member, value];
  }
  return found;
}

function sum<T>(items: Iterable<T>, valueOf: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += valueOf(item);
  return total;
}
