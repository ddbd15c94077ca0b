import type { HostStatus } from '../../../schema/link.ts';

/** One process of a host: evidence and attempts are recorded under it. */
export type HostRef = {
  readonly host: string;
  readonly instance: string;
  /** The addresses that receiving servers see; 'default' if none is declared. */
  readonly egress: readonly string[];
};

/** One process of an enrolled host, as seen through its link. */
export type Member = HostRef &
  Readonly<HostStatus> & {
    readonly version: string;
    /** By the host's own clock: orders the processes of one enrolment. */
    readonly startedAt: number;
    readonly heardAt: number;
    /** When a mail server last answered it, according to its link; -Infinity: never. */
    readonly reachedAtMs: number;
    /** Addresses of the jobs that this object gave it. */
    readonly addresses: number;
    /** Addresses that it can run at once. */
    readonly slots: number;
  };

/** The hosts at one moment, as a batch decides by them. */
export type Hosts = {
  /** Those that may get jobs. */
  readonly members: readonly Member[];
  /** Whether to trust a host where one without a resolver or a way out would report the same. */
  readonly works: (host: HostRef) => boolean;
  /** Its circuit breaker is open, or it is out: every other host is asked first. */
  readonly isAvoided: (host: HostRef) => boolean;
};

/** The members that may get new jobs: of each enrolment the newest process. */
export function eligible(members: readonly Member[]): readonly Member[] {
  const newest = new Map<string, Member>();
  for (const member of members) {
    const other = newest.get(member.host);
    const mayServe = !member.draining && member.healthy;
    if (mayServe && (other === undefined || member.startedAt > other.startedAt)) newest.set(member.host, member);
  }
  return [...newest.values()];
}

/** Members other than the processes already tried. */
export function untried(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  return members.filter((m) => !tried.some((t) => t.instance === m.instance));
}

/** Members of other enrolments: another process of the same one would share its trouble. */
export function otherHosts(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  return members.filter((m) => !tried.some((t) => t.host === m.host));
}

/**
 * Members that receiving servers see under an address that none of the tried ones has. An undeclared one is not known
 * to differ.
 */
export function otherEgress(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  const seen = new Set(tried.flatMap((t) => t.egress));
  return otherHosts(members, tried).filter((m) => m.egress.some((ip) => ip !== 'default' && !seen.has(ip)));
}

/**
 * The member that gets a job of second opinions: not avoided, with the fewest jobs and addresses given to it lately (a
 * host that fails fast has no jobs), then the fewest mail servers in cool-down; ties are broken at random.
 * @param random uniform in [0, 1)
 */
export function pick(
  members: readonly Member[],
  { isAvoided }: Pick<Hosts, 'isAvoided'>,
  { assignedTo, random }: { readonly assignedTo: (host: HostRef) => number; readonly random: () => number },
): Member | null {
  const burdens = members.map(
    (m) => Number(isAvoided(m)) * 1e9 + (m.jobs + assignedTo(m)) * 1e3 + Math.min(999, m.cooling),
  );
  const least = Math.min(...burdens);
  const best = members.filter((_, n) => burdens[n] === least);
  return best[Math.floor(random() * best.length)] ?? null;
}
