import { wantsOtherEgress } from '../../schema/outcomes.ts';
import { type Heard, isInDoubt } from './doubt.ts';
import type { HostRef } from './roster.ts';

/** How one address of a batch stands. */
export type Slot = {
  readonly domain: string;
  /** `held`: evidence is there, another host may learn more. */
  state: 'waiting' | 'out' | 'held' | 'final';
  best: Heard | null;
  answers: number;
  /** Answers that were evidence of something. */
  seen: number;
  /** A trusted host's evidence that another host is asked about all the same. */
  sampled: boolean;
  readonly tried: HostRef[];
  /** Hosts whose evidence of it is in doubt. */
  readonly doubters: HostRef[];
};

/** Addresses in one state that the same hosts may get for the same reason. */
export type Group = {
  readonly indexes: number[];
  readonly tried: readonly HostRef[];
  readonly needsEgress: boolean;
  /** Whose evidence in doubt is the best there is; null: the best is not in doubt, or there is none. */
  readonly doubter: HostRef | null;
};

export function newSlot(domain: string): Slot {
  return { domain, state: 'waiting', best: null, answers: 0, seen: 0, sampled: false, tried: [], doubters: [] };
}

export function groupsOf(slots: readonly Slot[], state: 'waiting' | 'held'): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [index, slot] of slots.entries()) {
    if (slot.state !== state) continue;
    const { tried, best } = slot;
    const needsEgress = best !== null && wantsOtherEgress(best.evidence.outcome);
    const doubter = best !== null && isInDoubt(best.evidence.outcome) ? best.from : null;
    const key = [needsEgress, doubter?.instance ?? '', ...tried.map((t) => t.instance)].join(' ');
    const group = groups.get(key);
    if (group !== undefined) group.indexes.push(index);
    else groups.set(key, { indexes: [index], tried, needsEgress, doubter });
  }
  return groups.values();
}
