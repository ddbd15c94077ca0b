import { wantsOtherEgress } from '../../../schema/outcomes.ts';
import { type Heard, isInDoubt } from '../trust/doubt.ts';
import type { HostRef } from '../trust/roster.ts';

/**
 * How one address of a batch stands. There are 500 of them in each of hundreds of batches: they hold numbers, and lists
 * that they share.
 */
export type Slot = {
  /** The receiver's number: equal for addresses of one domain. */
  readonly domain: number;
  /** `held`: evidence is there, another host may learn more. */
  state: 'waiting' | 'out' | 'held' | 'final';
  /** Let go of as soon as it is final. */
  best: Heard | null;
  answers: number;
  /** Answers that were evidence of something. */
  seen: number;
  /** A trusted host's evidence that another host is asked about all the same. */
  sampled: boolean;
  /** The host that was asked last gave it back, and might have asked if nobody else had been there. */
  declined: boolean;
  tried: readonly HostRef[];
  /** Hosts whose evidence of it is in doubt. */
  doubters: readonly HostRef[];
};

/** Addresses in one state that the same hosts may get for the same reason. */
export type Group = {
  readonly indexes: number[];
  readonly tried: readonly HostRef[];
  readonly needsEgress: boolean;
  readonly declined: boolean;
  /** Whose evidence in doubt is the best there is; null: the best is not in doubt, or there is none. */
  readonly doubter: HostRef | null;
};

const NOBODY: readonly HostRef[] = [];

export function newSlot(domain: number): Slot {
  return {
    domain,
    state: 'waiting',
    best: null,
    answers: 0,
    seen: 0,
    sampled: false,
    declined: false,
    tried: NOBODY,
    doubters: NOBODY,
  };
}

export function groupsOf(slots: readonly Slot[], state: 'waiting' | 'held'): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [index, slot] of slots.entries()) {
    if (slot.state !== state) continue;
    const { tried, best, declined } = slot;
    const needsEgress = best !== null && wantsOtherEgress(best.evidence.outcome);
    const doubter = best !== null && isInDoubt(best.evidence.outcome) ? best.from : null;
    const key = [needsEgress, declined, doubter?.instance ?? '', ...tried.map((t) => t.instance)].join(' ');
    const group = groups.get(key);
    if (group !== undefined) group.indexes.push(index);
    else groups.set(key, { indexes: [index], tried, needsEgress, declined, doubter });
  }
  return groups.values();
}

/** Lists of hosts: most addresses of a batch have the same. */
export class HostLists {
  readonly #lists: Array<readonly HostRef[]> = [];

  /** The list with one host more. */
  after(tried: readonly HostRef[], host: HostRef): readonly HostRef[] {
    const isNext = (list: readonly HostRef[]): boolean =>
      list.length === tried.length + 1 && list.at(-1) === host && tried.every((one, at) => list[at] === one);
    const known = this.#lists.find(isNext);
    if (known !== undefined) return known;
    const list = [...tried, host];
    this.#lists.push(list);
    return list;
  }
}

/** Domains that a host is at, or will be as soon as there is one: no second one may be at the same time. */
export function busyDomains(slots: readonly Slot[]): ReadonlySet<number> {
  return new Set(slots.filter(({ state }) => state === 'out' || state === 'waiting').map(({ domain }) => domain));
}

/** As many of the addresses as belong to no more than so many domains, and how many domains those are. */
export function fitting(
  slots: readonly Slot[],
  indexes: readonly number[],
  lanes: number,
): readonly [readonly number[], number] {
  const domains = new Set<number>();
  const fit = indexes.filter((index) => {
    const domain = slots[index]?.domain ?? -1;
    if (!domains.has(domain) && domains.size >= lanes) return false;
    domains.add(domain);
    return true;
  });
  return [fit, domains.size];
}
