import { DOMAINS, type Crowd, type Figures } from './crowd.ts';

// What is asked of rcpt beside other engines that did the same work in the same run.

const WALL_RATIO_MAX = 1.1;
/** Whose processor time, its start left out, is not to be exceeded. */
const THRIFTIEST = 'AfterShip';

/** All right, and the server says so too: what a program reports is no evidence that it asked. */
function didTheWork({ right, conversed }: Figures): boolean {
  return right === DOMAINS && conversed;
}

/** What came out right, in words. */
export function rightOf({ right, conversed }: Figures): string {
  return `${right} of ${DOMAINS} right${conversed ? '' : ', and not all were asked about'}`;
}

export type Best = {
  readonly startedWallMs: number;
  readonly startedCpuMs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
};

/** The best figure of each kind among peers that did the work; null if none did. */
export function bestOf(peers: readonly Figures[]): Best | null {
  const able = peers.filter(didTheWork);
  if (able.length === 0) return null;
  const least = (read: (one: Figures) => number): number => Math.min(...able.map(read));
  return {
    startedWallMs: least((one) => one.withStart.wallMs),
    startedCpuMs: least((one) => one.withStart.cpuMs),
    wallMs: least((one) => one.work.wallMs),
    cpuMs: least((one) => one.work.cpuMs),
    rssMiB: least((one) => one.withStart.rssMiB),
  };
}

/** Why rcpt does not hold beside these peers. Where none is installed nothing but its own work is asked of it. */
export function problemsOf({ figures }: Crowd, peerNames: readonly string[]): readonly string[] {
  const rcpt = figures.get('rcpt');
  const bare = figures.get('bare client');
  if (rcpt === undefined || bare === undefined) throw new Error('rcpt and its floor are always measured');
  const problems: string[] = [];
  if (!didTheWork(rcpt)) problems.push(`rcpt: ${rightOf(rcpt)}`);
  if (!didTheWork(bare)) problems.push(`bare client: ${rightOf(bare)}`);
  const peers = new Map(peerNames.flatMap((name) => [[name, figures.get(name)] as const]));
  const present = [...peers.values()].filter((one) => one !== undefined);
  if (present.length === 0) return problems;
  const best = bestOf(present);
  if (best === null) return [...problems, 'no peer did the work'];
  if (rcpt.work.wallMs > WALL_RATIO_MAX * best.wallMs) problems.push(`wall above ${WALL_RATIO_MAX} x the fastest peer`);
  const thrifty = [...peers].find(([name]) => name.startsWith(THRIFTIEST))?.[1];
  if (thrifty !== undefined && didTheWork(thrifty) && rcpt.work.cpuMs > thrifty.work.cpuMs)
    problems.push(`CPU above ${THRIFTIEST}'s`);
  return problems;
}
