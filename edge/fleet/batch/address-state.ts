import type { Answer } from '../trust/answer.ts';
import { type Heard, isDenial, isInDoubt } from '../trust/doubt.ts';
import type { Receiver } from '../trust/receiver.ts';
import type { HostRef } from '../trust/roster.ts';
import { wantsOtherEgress } from '../../../schema/outcomes.ts';
import { type BatchIndex, isBatchIndex } from '../../base/indexes.ts';

/**
 * What is known of one address of a batch. There are 500 of them in each of hundreds of batches: they hold numbers, and
 * lists that they share.
 */
export type AddressState = Receiver & {
  /** `held`: evidence is there, another host may learn more. `lost`: given up, with too many jobs that were lost. */
  state: 'waiting' | 'out' | 'held' | 'lost' | 'final';
  /** Let go of as soon as it is final. */
  best: Heard | null;
  answers: number;
  /** Answers that were evidence of something. */
  seen: number;
  /** Another host is asked all the same, though what there is would be believed. */
  sampled: boolean;
  /** What hosts said whose answer is not believed by their own word; null: the first one's is. */
  check: readonly Checked[] | null;
  /** A host is believed by its own word that the domain takes no mail. */
  vouched: boolean;
  /** The host that was asked last gave it back, and might have asked if nobody else had been there. */
  declined: boolean;
  tried: readonly HostRef[];
  /** Jobs that were lost with it. */
  losses: number;
  /** Hosts whose evidence of it is in doubt. */
  doubters: readonly HostRef[];
  /** Those of them whose resolver said that there is nothing to reach, or that it got no answer. */
  deniers: readonly HostRef[];
  /** Those of these that got no answer. */
  unanswered: readonly HostRef[];
};

/** What one host said of an address that several are asked about. */
export type Checked = Heard & {
  /** Null: nothing that is charged. */
  readonly answer: Answer | null;
  readonly provider: string | null;
};

/** Addresses in one state that the same hosts may get for the same reason. */
export type Group = {
  readonly indexes: BatchIndex[];
  readonly tried: readonly HostRef[];
  readonly needsEgress: boolean;
  readonly declined: boolean;
  /** Whose evidence in doubt is the best there is; null: the best is not in doubt, or there is none. */
  readonly doubter: HostRef | null;
  /** That is the word of a resolver. */
  readonly denied: boolean;
  /** What was said first of addresses whose answer is put to another host; null: they are not. */
  readonly first: Checked | null;
};

const NOBODY: readonly HostRef[] = [];

export function newAddress({ domain, zone }: Receiver): AddressState {
  return {
    domain,
    zone,
    state: 'waiting',
    best: null,
    answers: 0,
    seen: 0,
    sampled: false,
    check: null,
    vouched: false,
    declined: false,
    tried: NOBODY,
    losses: 0,
    doubters: NOBODY,
    deniers: NOBODY,
    unanswered: NOBODY,
  };
}

/** The addresses of one batch, by their index in it. */
export class AddressStates {
  readonly #states: readonly AddressState[];

  constructor(states: readonly AddressState[]) {
    this.#states = states;
  }

  get size(): number {
    return this.#states.length;
  }

  *entries(): Generator<readonly [BatchIndex, AddressState], void> {
    const size = this.#states.length;
    for (const [index, state] of this.#states.entries()) if (isBatchIndex(index, size)) yield [index, state];
  }

  /** @throws Error for an index of another batch */
  at(index: BatchIndex): AddressState {
    const state = this.#states[index];
    if (state === undefined) throw new Error('The batch has no such address');
    return state;
  }

  /** An index that came from outside. @returns null if the batch has no such address */
  find(index: number): AddressState | null {
    return isBatchIndex(index, this.#states.length) ? this.at(index) : null;
  }

  some(test: (state: AddressState, index: number) => boolean): boolean {
    return this.#states.some(test);
  }

  /** Of some addresses, how many are at each domain. */
  byDomain(indexes: readonly BatchIndex[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const index of indexes) {
      const { domain } = this.at(index);
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    return counts;
  }

  groupsOf(state: 'waiting' | 'held'): Iterable<Group> {
    const groups = new Map<string, Group>();
    for (const [index, address] of this.entries()) {
      if (address.state !== state) continue;
      const { tried, best, declined, check } = address;
      const first = check?.[0] ?? null;
      const needsEgress = best !== null && wantsOtherEgress(best.evidence.outcome);
      const doubter = best !== null && isInDoubt(best.evidence.outcome) ? best.from : null;
      const denied = best !== null && isDenial(best.evidence.outcome);
      const doubted = `${doubter?.instance} ${first?.answer} ${first?.provider}`;
      const key = [needsEgress, declined, denied, doubted, ...tried.map((t) => t.instance)].join(' ');
      const group = groups.get(key);
      if (group !== undefined) group.indexes.push(index);
      else groups.set(key, { indexes: [index], tried, needsEgress, declined, doubter, denied, first });
    }
    return groups.values();
  }

  /** Domains that a host is at, or will be as soon as there is one: no second one may be at the same time. */
  get busyDomains(): ReadonlySet<number> {
    const busy = this.#states.filter(({ state }) => state === 'out' || state === 'waiting');
    return new Set(busy.map(({ domain }) => domain));
  }

  /** As many of the addresses as belong to at most `lanes` domains, and the number of these domains. */
  fitting(indexes: readonly BatchIndex[], lanes: number): readonly [readonly BatchIndex[], number] {
    const domains = new Set<number>();
    const fit = indexes.filter((index) => {
      const { domain } = this.at(index);
      if (!domains.has(domain) && domains.size >= lanes) return false;
      domains.add(domain);
      return true;
    });
    return [fit, domains.size];
  }
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
