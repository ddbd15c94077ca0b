import type { LinkEvidence } from '../../../schema/link.ts';
import { type HostRef, type Hosts, type Member, otherEgress, otherHosts, untried } from '../trust/host.ts';
import { decide, type Heard, type Said, type Wanted, wantsWitness, wordOf } from '../trust/rules.ts';

// What becomes of one address: pure.

/** Answers of one address at most. */
export const ANSWERS_MAX = 3;
/** An address that was lost with so many jobs may be what its hosts died of. */
export const LOSSES_MAX = 3;

/** What is known of one address. */
export type Known = {
  /** What hosts said of it. */
  readonly heard: readonly Heard[];
  /** The processes that were asked, those included that were lost with it. */
  readonly tried: readonly HostRef[];
  /** Jobs that were lost with it. */
  readonly losses: number;
};

export type Next =
  | { readonly kind: 'final'; readonly evidence: LinkEvidence }
  /** Any of these, none of which has said anything of it. */
  | { readonly kind: 'ask'; readonly whom: readonly Member[] }
  /** A host that joins is asked. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'lost' };

/**
 * @param isLate nobody else is asked any more
 * @param isCompared other hosts are asked too, whatever the first said, to see which of them differs
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

/** What hosts said of an address, as far as it can be compared. */
export function saidOf(heard: readonly Heard[]): readonly Said[] {
  return heard.flatMap(({ from: { host }, evidence: { outcome } }) => {
    const word = wordOf(outcome);
    return word === null ? [] : [{ host, word }];
  });
}

/** Who may say more. Those that are not avoided come first; of what is in doubt, those whose word counts. */
function candidates({ tried }: Known, { members, works, isAvoided }: Hosts, wants: Wanted): readonly Member[] {
  const others = wants === 'egress' ? otherEgress(members, tried) : otherHosts(members, tried);
  const levels = [others.filter((m) => !isAvoided(m) && works(m)), others.filter((m) => !isAvoided(m)), others];
  return levels.find((level) => level.length > 0) ?? [];
}
