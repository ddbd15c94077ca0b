import type { Canary, ProviderRefusal } from '../../../schema/link.ts';
import type { Trust } from './host-record.ts';

// Who gets a job: pure. A member is one process of an enrolled host as its link shows it.

/** One process of a host: what evidence and attempts are remembered by. */
export type HostRef = {
  readonly host: string;
  readonly instance: string;
  /** The addresses that receiving servers see; 'default' if nobody declared any. */
  readonly egress: readonly string[];
};

export type Member = HostRef & {
  /** Of its program; null: it does not say. */
  readonly version: string | null;
  /** By the host's own clock: orders the processes of one enrolment. */
  readonly startedAt: number;
  readonly heardAt: number;
  readonly draining: boolean;
  readonly healthy: boolean;
  /** It has asked its canaries. */
  readonly checked: boolean;
  /** What its self-check failed at. */
  readonly failing: readonly Canary[];
  /** When a mail server last talked to it, as its link remembers; -Infinity: never. */
  readonly reachedAtMs: number;
  readonly jobs: number;
  /** Of the jobs that this object gave it. */
  readonly addresses: number;
  /** Addresses that it can run at once. */
  readonly slots: number;
  /** Receiving providers that it must leave alone for now. */
  readonly cooling: number;
  /** Large providers that refuse it. */
  readonly refusing: number;
  /** Which those are. */
  readonly refusals: readonly ProviderRefusal[];
  /** Ids of jobs that it says it runs, or has just finished, of which this object does not know yet. */
  readonly running: readonly string[];
};

/** How one process compares with the others when a job is to be given. */
export type Rating = {
  readonly trust: Trust;
  /** It refused jobs or left them unanswered lately, or its peers contradict it: every other host is preferred. */
  readonly avoided: boolean;
  /** Jobs that it was given lately, as they fade: a host that ends its jobs fast gets no more of them for that. */
  readonly assigned: number;
  /** Their addresses. */
  readonly assignedAddresses: number;
  /** Those of the jobs that it could prove itself by. */
  readonly chances: number;
};
export type Rate = (host: HostRef) => Rating;

/** An unproven host gets a job to prove itself; until it has, it is treated as if it had this many more. */
const UNPROVEN_JOBS = 3;
/** What is left of one job given after some 20 s: the next chance. */
const CHANCE = 0.25;

/** The members that may get new jobs. */
export function eligible(members: readonly Member[]): readonly Member[] {
  return members.filter(({ draining, healthy }) => !draining && healthy);
}

/**
 * The member that gets the job: of each enrolment the newest process; of those one that is not avoided,
 * with the fewest jobs, running and given lately together, then the fewest mail servers at rest; ties by lot.
 * @param random uniform in [0, 1)
 */
export function pick(members: readonly Member[], rate: Rate, random: () => number): Member | null {
  let best: Member[] = [];
  let least: readonly number[] = [];
  for (const member of newest(members)) {
    const burden = burdenOf(member, rate(member));
    const order = best.length === 0 ? -1 : compare(burden, least);
    if (order < 0) [best, least] = [[member], burden];
    else if (order === 0) best.push(member);
  }
  return best[Math.floor(random() * best.length)] ?? null;
}

/** Of each enrolment the newest process. */
export function newest(members: readonly Member[]): readonly Member[] {
  const byHost = new Map<string, Member>();
  for (const member of members) {
    const other = byHost.get(member.host);
    if (other === undefined || member.startedAt > other.startedAt) byHost.set(member.host, member);
  }
  return [...byHost.values()];
}

/** Members that are none of the processes tried. */
export function untried(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  return members.filter((m) => !tried.some((t) => t.instance === m.instance));
}

/** Members of other enrolments: another process of the same one would share its trouble. */
export function otherHosts(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  return members.filter((m) => !tried.some((t) => t.host === m.host));
}

/** Members that receiving servers see under an address that none of those tried has. An undeclared one is not known to differ. */
export function otherEgress(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  const seen = new Set(tried.flatMap((t) => t.egress));
  return otherHosts(members, tried).filter((m) => m.egress.some((ip) => ip !== 'default' && !seen.has(ip)));
}

/** Who gets what a host declined: first a host that no provider refuses, then any other, then the host that declined it. */
export function afterDecline(members: readonly Member[], tried: readonly HostRef[]): readonly Member[] {
  const others = otherEgress(members, tried);
  const welcome = others.filter(({ refusing }) => refusing === 0);
  if (welcome.length > 0) return welcome;
  return others.length > 0 ? others : members.filter((m) => tried.some((t) => t.instance === m.instance));
}

/** Whether there is somebody to give it to if this host declines, which it has not done yet. */
export function hasSpare(members: readonly Member[], tried: readonly HostRef[], to: HostRef): boolean {
  return tried.every((t) => t.instance !== to.instance) && otherEgress(members, [...tried, to]).length > 0;
}

/** The member that says it has this very job. */
export function claimant(members: readonly Member[], jobId: string): Member | null {
  return members.find((m) => m.running.includes(jobId)) ?? null;
}

/** What speaks against giving it the job, the weightiest first. */
function burdenOf(member: Member, rating: Rating): readonly number[] {
  const unproven = isOnTrial(rating) ? UNPROVEN_JOBS : 0;
  return [Number(rating.avoided), member.jobs + rating.assigned + unproven, member.cooling];
}

/** Whether it has a job to prove itself by, and has not yet. */
export function isOnTrial({ trust, chances }: Rating): boolean {
  return trust === 'unproven' && chances > CHANCE;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const order = value - (b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
