import type { HostTrust } from '../trust/host-records.ts';
import { type Member, pick, untried } from '../trust/roster.ts';
import type { AddressStates, Group } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import type { Job } from './job.ts';
import type { SecondHosts } from './second-hosts.ts';

/** Addresses that a host is to get. */
export type Assignment = { readonly to: Member; readonly indexes: readonly BatchIndex[] };

/** What there is to plan with. */
export type Planning = {
  readonly addresses: AddressStates;
  readonly seconds: SecondHosts;
  readonly hosts: HostTrust;
  /** The jobs under way. */
  readonly jobs: readonly Job[];
  /** Domains probed at once in one batch. */
  readonly lanes: number;
  /** Who may get jobs. */
  readonly members: readonly Member[];
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** Addresses that are with nobody go to hosts that have not tried them. */
export function planFirst({ addresses, hosts, members, random }: Planning): readonly Assignment[] {
  const assignments: Assignment[] = [];
  for (const group of addresses.groupsOf('waiting')) {
    const to = pick(untried(members, group.tried), (instance) => hosts.rate(instance), random);
    if (to !== null) assignments.push({ to, indexes: group.indexes });
  }
  return assignments;
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
    const wanted = to === null ? [] : seconds.chosen(group);
    if (to === null || wanted.length === 0) {
      idle.push(group);
      continue;
    }
    for (const index of wanted) asked.add(index);
    const ready = wanted.filter((index) => !busy.has(addresses.at(index).domain));
    const [indexes, used] = addresses.fitting(ready, lanes);
    lanes -= used;
    if (indexes.length > 0) assignments.push({ to, indexes });
  }
  // After all assignments: what one of them may show is waited for.
  const given = [...first, ...assignments];
  const isBusy = (instance: string): boolean =>
    given.some(({ to }) => to.instance === instance) ||
    jobs.some(({ to, open }) => to.instance === instance && open.size > 0);
  return { assignments, over: idle.filter((group) => !seconds.mayTurnOut(group, isBusy, asked)) };
}
