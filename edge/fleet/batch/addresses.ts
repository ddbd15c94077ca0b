import type { LinkEvidence } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { type BatchIndex, isBatchIndex } from '../../base/indexes.ts';
import { type HostRef, type Hosts, type Member, pick } from '../trust/host.ts';
import { type Receiver, receiverOf, zoneOf } from '../trust/receiver.ts';
import type { Heard } from '../trust/rules.ts';
import { type Known, next } from './next.ts';
import { hostOf, type Spread } from './spread.ts';
import type { Job } from './job.ts';

/**
 * One address of a batch. There are 500 of them in each of hundreds of batches: they hold numbers, lists that they
 * share, and evidence only while another host may learn more.
 */
export type Address = Receiver & { -readonly [K in keyof Known]: Known[K] } & {
  /** `held`: a host has reported evidence, and another may learn more. `lost`: given up. */
  state: 'waiting' | 'out' | 'held' | 'lost' | 'final';
  /** When it was last given to a host, or reported by one: the clock's milliseconds. */
  movedAtMs: number;
};

/** Evidence that no host can improve on any more, and what hosts said about its address. */
export type Final = {
  readonly index: BatchIndex;
  readonly evidence: LinkEvidence;
  readonly receiver: Receiver;
  readonly heard: readonly Heard[];
};
/** Addresses to be given to a host. */
export type Assignment = { readonly to: Member; readonly indexes: readonly BatchIndex[] };

/** Addresses that the same hosts may be asked about, for the same reason. */
type Group = {
  readonly whom: readonly Member[];
  /** No host has reported anything about them yet. */
  readonly isFirst: boolean;
  readonly indexes: BatchIndex[];
};

const NOBODY: readonly HostRef[] = [];
const NOTHING: readonly Heard[] = [];

/** The state of the addresses of one batch, and what to do next with each: `next` decides. */
export class Addresses {
  readonly #all: readonly Address[];
  readonly #isCompared: boolean;
  readonly #lists: Array<readonly HostRef[]> = [];
  #left: number;

  /** @param heard what was reported before about its one address, if this batch compares hosts; null if it does not */
  constructor(addresses: FleetJob['addresses'], heard: readonly Heard[] | null = null) {
    this.#isCompared = heard !== null;
    this.#left = addresses.length;
    this.#all = addresses.map(([, domain]) => ({
      domain: receiverOf(domain),
      zone: receiverOf(zoneOf(domain)),
      state: heard === null ? 'waiting' : 'held',
      movedAtMs: 0,
      heard: heard ?? NOTHING,
      tried: heard?.map(({ from }) => from) ?? NOBODY,
      losses: 0,
    }));
  }

  get size(): number {
    return this.#all.length;
  }

  /** Every address has its final evidence. */
  get isComplete(): boolean {
    return this.#left === 0;
  }

  /** Some addresses are with no host, or another host may learn more: a host that joins is of use. */
  get seeks(): boolean {
    return this.#all.some(({ state }) => state === 'waiting' || state === 'held');
  }

  /** Only addresses that were given up have no evidence. */
  get isGivenUp(): boolean {
    return this.#all.every(({ state }) => state === 'lost' || state === 'final');
  }

  /** A host has them from now on. */
  give(indexes: readonly BatchIndex[], now: number): void {
    for (const index of indexes) {
      const address = this.#at(index);
      address.state = 'out';
      address.movedAtMs = now;
    }
  }

  /** A host reported evidence about an address that it had, perhaps after it was given to another one too. */
  hear(index: BatchIndex, heard: Heard, now: number): void {
    const address = this.#at(index);
    address.movedAtMs = now;
    if (address.state === 'final') return;
    address.heard = [...address.heard.filter(({ from }) => from.instance !== heard.from.instance), heard];
    address.tried = this.#after(address.tried, heard.from);
    address.state = 'held';
  }

  /** The host has no more to report about it. @param isLost whether that counts as a loss */
  takeBack(index: BatchIndex, from: HostRef, isLost: boolean): void {
    const address = this.#at(index);
    if (address.state !== 'out') return;
    address.tried = this.#after(address.tried, from);
    if (isLost) address.losses += 1;
    address.state = address.heard.length === 0 ? 'waiting' : 'held';
  }

  /**
   * Doubts the host of a job about those domains of which it has reported nothing for too long: another host may be
   * asked about them too.
   * @param dueAt when that is, for a domain that was given to it, or reported on, at this time
   * @returns when the next of its domains will have been silent for as long
   */
  doubt({ indexes, open, doubted, to }: Job, now: number, dueAt: (movedAtMs: number) => number): number {
    const movedAt = new Map<number, number>();
    for (const { domain, movedAtMs } of indexes.map((index) => this.#at(index)))
      movedAt.set(domain, Math.max(movedAtMs, movedAt.get(domain) ?? 0));
    let nextAt = Infinity;
    for (const inJob of open) {
      const index = indexes[inJob];
      if (index === undefined || doubted.has(index)) continue;
      const at = dueAt(movedAt.get(this.#at(index).domain) ?? now);
      if (at > now) nextAt = Math.min(nextAt, at);
      else {
        this.takeBack(index, to, false);
        doubted.add(index);
      }
    }
    return nextAt;
  }

  /**
   * Decides about every address that no host has: which are final, and which hosts to ask about the rest. A domain is
   * with at most one host at a time, apart from those in doubt.
   * @param lanes domains that may be with hosts at once, apart from those nothing was reported about
   * @param isLate an address with evidence is not given to another host
   */
  plan(
    hosts: Hosts,
    lanes: number,
    isLate: boolean,
    spread: Spread,
  ): { readonly final: readonly Final[]; readonly assignments: readonly Assignment[] } {
    const final: Final[] = [];
    const groups = new Map<string, Group>();
    const busy = new Set<number>();
    for (const { state, domain } of this.#all) if (state === 'out' || state === 'waiting') busy.add(domain);
    const asked = new Set<number>();
    for (const [index, address] of this.#entries()) {
      if (address.state !== 'waiting' && address.state !== 'held') continue;
      const step = next(address, hosts, isLate, this.#isCompared);
      if (step.kind === 'lost') address.state = 'lost';
      if (step.kind === 'final') final.push(this.#settle(index, address, step.evidence));
      if (step.kind !== 'ask') continue;
      const { domain } = address;
      const isFirst = address.heard.length === 0;
      if (!isFirst) {
        if (busy.has(domain) || (!asked.has(domain) && busy.size + asked.size >= lanes)) continue;
        asked.add(domain);
      }
      const key = [isFirst, ...step.whom.map(({ instance }) => instance)].join(' ');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { whom: step.whom, isFirst, indexes: [index] });
      else group.indexes.push(index);
    }
    return { final, assignments: [...groups.values()].flatMap((group) => this.#assign(group, hosts, spread)) };
  }

  /** The batch ends: what was reported counts as it is. */
  release(hosts: Hosts): readonly Final[] {
    return [...this.#entries()].flatMap(([index, address]) => {
      if (address.heard.length === 0) return [];
      const step = next(address, hosts, true);
      return step.kind === 'final' ? [this.#settle(index, address, step.evidence)] : [];
    });
  }

  #assign({ whom, isFirst, indexes }: Group, hosts: Hosts, spread: Spread): readonly Assignment[] {
    const to = isFirst ? hostOf(this.#byDomain(indexes), whom, hosts, spread) : pick(whom, hosts, spread);
    return to === null ? [] : [{ to, indexes }];
  }

  /** How many of some addresses are at each domain. */
  #byDomain(indexes: readonly BatchIndex[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const index of indexes) {
      const { domain } = this.#at(index);
      counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    return counts;
  }

  #settle(index: BatchIndex, address: Address, evidence: LinkEvidence): Final {
    const { heard, domain, zone } = address;
    address.state = 'final';
    address.heard = NOTHING;
    this.#left -= 1;
    return { index, evidence, heard, receiver: { domain, zone } };
  }

  /** The list with one host more: most addresses of a batch share the same. */
  #after(tried: readonly HostRef[], host: HostRef): readonly HostRef[] {
    const isNext = (list: readonly HostRef[]): boolean =>
      list.length === tried.length + 1 && list.at(-1) === host && tried.every((one, at) => list[at] === one);
    const known = this.#lists.find(isNext);
    if (known !== undefined) return known;
    const list = [...tried, host];
    this.#lists.push(list);
    return list;
  }

  *#entries(): Generator<readonly [BatchIndex, Address], void> {
    const size = this.#all.length;
    for (const [index, address] of this.#all.entries()) if (isBatchIndex(index, size)) yield [index, address];
  }

  #at(index: BatchIndex): Address {
    const address = this.#all[index];
    if (address === undefined) throw new Error('The batch has no such address');
    return address;
  }
}
