import type { HostTrust } from '../trust/host-records.ts';
import { type Member, pick, type Rate, untried } from '../trust/roster.ts';
import type { AddressStates, Group } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import type { Job } from './job.ts';
import type { SecondHosts } from './second-hosts.ts';
import { hostOf, type Lot } from './spread.ts';

/** Addresses that a host is to get. */
export type Assignment = {
  readonly to: Member;
  readonly indexes: readonly BatchIndex[];
  /** Nobody has said anything of them yet. */
  readonly isFirst: boolean;
};

/** What there is to plan with. */
export type Planning = {
  readonly addresses: AddressStates;
  readonly seconds: SecondHosts;
  readonly hosts: HostTrust;
  /** The jobs under way. */
  readonly jobs: readonly Job[];
  /** Domains probed at once in one batch. */
  readonly lanes: number;
  /** An address that was lost with this many jobs is not given out again. */
  readonly lossesMax: number;
  /** Who may get jobs. */
  readonly members: readonly Member[];
  readonly lot: Lot;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** Addresses that are with nobody go to a host that has not tried them. */
export function planFirst({ addresses, hosts, lot, members }: Planning): readonly Assignment[] {
  const rate: Rate = (instance) => hosts.rate(instance);
  return [...addresses.groupsOf('waiting')].flatMap(({ tried, indexes }) => {
    const to = hostOf(addresses.byDomain(indexes), { members: untried(members, tried), rate, lot });
    return to === null ? [] : [{ to, indexes, isFirst: true }];
  });
}

/**
 * Addresses of which another host may learn more go to one, as far as lanes are free.
 * @param first what is given out besides
 * @returns the assignments, and the groups of which nothing more can be learnt
 */
export function planSecond(
  planning: Planning,
  first: readonly Assignment[],
): { readonly assignments: readonly Assignment[]; readonly over: readonly Group[] } {
  const { addresses, seconds, hosts, jobs, members, random } = planning;
  const assignments: Assignment[] = [];
  const idle: Group[] = [];
  const asked = new Set<number>();
  const busy = addresses.busyDomains;
  let lanes = planning.lanes - busy.size;
  for (const group of addresses.groupsOf('held')) {
    const to = pick(seconds.candidates(group, members), (instance) => hosts.rate(instance), random);
    const mayBe = (index: BatchIndex): boolean => addresses.at(index).losses < planning.lossesMax;
    const wanted = to === null ? [] : seconds.chosen(group).filter(mayBe);
    if (to === null || wanted.length === 0) {
      idle.push(group);
      continue;
    }
    for (const index of wanted) asked.add(index);
    const ready = wanted.filter((index) => !busy.has(addresses.at(index).domain));
    const [indexes, used] = addresses.fitting(ready, lanes);
    lanes -= used;
    if (indexes.length > 0) assignments.push({ to, indexes, isFirst: false });
  }
  // After all assignments: what one of them may show is waited for.
  const given = [...first, ...assignments];
  const isBusy = (instance: string): boolean =>
    given.some(({ to }) => to.instance === instance) ||
    jobs.some(({ to, open }) => to.instance === instance && open.size > 0);
  return { assignments, over: idle.filter((group) => !seconds.mayTurnOut(group, isBusy, asked)) };
}
