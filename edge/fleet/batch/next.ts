import type { LinkEvidence } from '../../../schema/link.ts';
import { claimOf } from '../../../schema/outcomes.ts';
import { type HostRef, type Hosts, type Member, otherEgress, otherHosts, untried } from '../trust/host.ts';
import { decide, type Heard, type Said, type Wanted, wantsWitness } from '../trust/rules.ts';

// What happens next with one address: pure.

/** The most answers for one address. */
export const ANSWERS_MAX = 3;
/** An address that was lost with this many jobs may be what made its hosts fail. */
export const LOSSES_MAX = 3;

export type Known = {
  /** What hosts reported about it. */
  readonly heard: readonly Heard[];
  /** The processes that were asked, including those that were lost. */
  readonly tried: readonly HostRef[];
  /** Jobs that were lost with it. */
  readonly losses: number;
};

export type Next =
  | { readonly kind: 'final'; readonly evidence: LinkEvidence }
  /** Any one of these; none of them has reported on it. */
  | { readonly kind: 'ask'; readonly whom: readonly Member[] }
  /** A host that joins will be asked. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'lost' };

/**
 * @param isLate no further host is asked
 * @param isCompared other hosts are asked in any case, to find the one that differs
 */
export function next(address: Known, hosts: Hosts, isLate: boolean, isCompared = false): Next {
  const { tried, losses } = address;
  const [first, ...others] = address.heard;
  const isGivenUp = losses >= LOSSES_MAX;
  if (first === undefined) {
    if (isGivenUp) return { kind: 'lost' };
    const whom = untried(hosts.members, tried);
    return whom.length > 0 ? { kind: 'ask', whom } : { kind: 'wait' };
  }
  const heard: readonly [Heard, ...Heard[]] = [first, ...others];
  const decision = decide(heard, hosts.works);
  const wants = decision.kind === 'open' ? decision.wants : isCompared && wantsWitness(saidOf(heard)) ? 'host' : null;
  const isOver = isLate || isGivenUp || heard.length >= ANSWERS_MAX;
  const whom = wants === null || isOver ? [] : candidates(address, hosts, wants);
  if (whom.length > 0) return { kind: 'ask', whom };
  if (decision.kind === 'final') return decision;
  const sayers = heard.map(({ from }) => from);
  const isAlone = otherHosts(hosts.members, sayers).length === 0;
  return { kind: 'final', evidence: isAlone ? decision.alone : decision.late };
}

/** What hosts reported about an address, as far as reports can be compared. */
export function saidOf(heard: readonly Heard[]): readonly Said[] {
  return heard.flatMap(({ from: { host }, evidence: { outcome } }) => {
    const word = claimOf(outcome);
    return word === null ? [] : [{ host, word }];
  });
}

/** The hosts that may learn more. Those that are not avoided come first; for a doubtful answer, those that work. */
function candidates({ tried }: Known, { members, works, isAvoided }: Hosts, wants: Wanted): readonly Member[] {
  const others = wants === 'egress' ? otherEgress(members, tried) : otherHosts(members, tried);
  const levels = [others.filter((m) => !isAvoided(m) && works(m)), others.filter((m) => !isAvoided(m)), others];
  return levels.find((level) => level.length > 0) ?? [];
}
