import type { HostTrust } from '../trust/host-records.ts';
import { type Member, pick, type Rate, untried } from '../trust/roster.ts';
import type { AddressStates, Group } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import { inBatch, type Job } from './job.ts';
import type { SecondHosts } from './second-hosts.ts';
import { type Lot, type Part, spread } from './spread.ts';

/** Addresses that a host is to get. */
export type Assignment = {
  readonly to: Member;
  readonly indexes: readonly BatchIndex[];
  /** Domains that it may probe at once. */
  readonly lanes: number;
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
  /** What is with nobody is cut into parts of no fewer addresses; Infinity: it is not. */
  readonly partMin: number;
  /** An address that was lost with this many jobs is not given out again. */
  readonly lossesMax: number;
  /** Who may get jobs. */
  readonly members: readonly Member[];
  readonly lot: Lot;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/** Addresses that are with nobody go to hosts that have not tried them, those of one domain to one. */
export function planFirst(planning: Planning): readonly Assignment[] {
  const { addresses, hosts, jobs, lanes, lot, members, partMin } = planning;
  const rate: Rate = (instance) => hosts.rate(instance);
  const groups = [...addresses.groupsOf('waiting')];
  if (groups.length === 0) return [];
  const free = lanes - jobs.reduce((sum, job) => sum + lanesInUse(job, addresses), 0);
  const cut = { partsMax: Math.max(1, Math.floor(free / groups.length)), partMin };
  const parts = groups.flatMap(({ tried, indexes }) =>
    spread(addresses.byDomain(indexes), { members: untried(members, tried), rate, lot }, cut),
  );
  return withLanes(parts, Math.max(free, parts.length));
}

/** Lanes that a job needs: no more than it has domains left. */
function lanesInUse(job: Job, addresses: AddressStates): number {
  const left = [...job.open].map((index) => inBatch(job, index));
  return Math.min(job.lanes, addresses.byDomain(left).length);
}

/** Each part gets its share of the lanes by its domains, and one at least. @param lanes at least as many as there are parts */
function withLanes(parts: readonly Part[], lanes: number): readonly Assignment[] {
  const domains = parts.reduce((sum, { parcels }) => sum + parcels.length, 0);
  return parts.map(({ to, parcels }) => ({
    to,
    indexes: parcels.flatMap(({ indexes }) => indexes).toSorted((a, b) => a - b),
    lanes: 1 + Math.floor(((lanes - parts.length) * parcels.length) / domains),
    isFirst: true,
  }));
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
    if (indexes.length > 0) assignments.push({ to, indexes, lanes: used, isFirst: false });
  }
  // After all assignments: what one of them may show is waited for.
  const given = [...first, ...assignments];
  const isBusy = (instance: string): boolean =>
    given.some(({ to }) => to.instance === instance) ||
    jobs.some(({ to, open }) => to.instance === instance && open.size > 0);
  return { assignments, over: idle.filter((group) => !seconds.mayTurnOut(group, isBusy, asked)) };
}
