import type { Trust } from '../trust/host-record.ts';
import type { HostTrust } from '../trust/host-records.ts';
import { afterDecline, type HostRef, type Member, otherEgress, otherHosts, pick } from '../trust/roster.ts';
import type { AddressStates, Checked, Group } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import { type Assignment, inBatch, type Job } from './job.ts';
import type { FleetLimits } from './limits.ts';

/** Domains per batch that are put to another host if the first is only proven; the rest follows their outcome. */
const CONFIRMED_MAX = 20;
/** A host that is not trusted and reached none of this many domains in a row loses its job to another. */
const FUTILE_DOMAINS = 20;

/** What the hosts of one batch have shown, and how far each is believed there. */
type Seconds = {
  readonly hosts: HostTrust;
  readonly account: string;
  readonly addresses: AddressStates;
  readonly trustOf: (host: HostRef) => Trust;
  readonly limits: Pick<FleetLimits, 'lanes' | 'lossesMax'>;
};

/** Which other host is asked within one batch, and when it is of no more use to wait for one. */
export class SecondHosts {
  readonly #hosts: HostTrust;
  readonly #account: string;
  readonly #addresses: AddressStates;
  readonly #trustOf: (host: HostRef) => Trust;
  readonly #limits: Seconds['limits'];
  /** Of each process that is merely proven, the domains on which another host's word decides: some stand for all. */
  readonly #confirmed = new Map<string, Set<number>>();

  constructor({ hosts, account, addresses, trustOf, limits }: Seconds) {
    this.#hosts = hosts;
    this.#account = account;
    this.#addresses = addresses;
    this.#trustOf = trustOf;
    this.#limits = limits;
  }

  /**
   * Addresses of which another host may learn more go to one, as far as lanes are free.
   * @param first what is given out besides
   * @param jobs those under way
   * @param members who may get jobs
   * @param random uniform in [0, 1)
   * @returns the assignments, and the groups of which nothing more can be learnt
   */
  plan(
    first: readonly Assignment[],
    jobs: readonly Job[],
    members: readonly Member[],
    random: () => number,
  ): { readonly assignments: readonly Assignment[]; readonly over: readonly Group[] } {
    const assignments: Assignment[] = [];
    const idle: Group[] = [];
    const asked = new Set<number>();
    const busy = this.#addresses.busyDomains;
    let lanes = this.#limits.lanes - busy.size;
    for (const group of this.#addresses.groupsOf('held')) {
      const to = pick(this.candidates(group, members), (host) => this.#hosts.rate(host), random);
      const mayBe = (index: BatchIndex): boolean => this.#addresses.at(index).losses < this.#limits.lossesMax;
      const wanted = to === null ? [] : this.#chosen(group).filter(mayBe);
      if (to === null || wanted.length === 0) {
        idle.push(group);
        continue;
      }
      for (const index of wanted) asked.add(index);
      const ready = wanted.filter((index) => !busy.has(this.#addresses.at(index).domain));
      const [indexes, used] = this.#addresses.fitting(ready, lanes);
      lanes -= used;
      if (indexes.length > 0) assignments.push({ to, indexes, isFirst: false });
    }
    // After all assignments: what one of them may show is waited for.
    const given = [...first, ...assignments];
    const isBusy = (instance: string): boolean =>
      given.some(({ to }) => to.instance === instance) ||
      jobs.some(({ to, open }) => to.instance === instance && open.size > 0);
    return { assignments, over: idle.filter((group) => !this.#mayTurnOut(group, isBusy, asked)) };
  }

  /** Who may be asked about what is held. About a doubtful one those go first whose own word would count. */
  candidates(group: Group, members: readonly Member[]): readonly Member[] {
    const { tried, needsEgress, declined, doubter, denied } = group;
    if (declined) return afterDecline(members, tried);
    if (group.first !== null) return this.#witnesses(group.first, otherHosts(members, tried));
    if (needsEgress) return otherEgress(members, tried);
    const others = otherHosts(members, tried);
    if (doubter === null) return others;
    const believed = others.filter((m) => this.#trustOf(m) !== 'unproven');
    const proven = denied ? believed.filter((m) => this.#hosts.mayVouch(m.instance)) : [];
    if (proven.length > 0) return proven;
    // A look-up is cheap, and what a mail server says counts no matter which host heard it.
    if (denied && believed.length === 0 && this.#trustOf(doubter) === 'trusted') return others;
    if (believed.length > 0 || this.#trustOf(doubter) === 'unproven') return believed.length > 0 ? believed : others;
    return others.filter((m) => !this.#hosts.rate(m).avoided);
  }

  /** Of hosts that may be asked about what one was doubted for, those that are not doubted for the same. */
  #witnesses({ answer, provider }: Checked, members: readonly Member[]): readonly Member[] {
    if (answer === null) return members;
    const work = { account: this.#account, provider };
    const witnesses = members.filter((m) => this.#hosts.mailboxes.isWitness(m, answer, work));
    return witnesses.length > 0 ? witnesses : members;
  }

  /** Those of a group that another host is to be asked about. */
  #chosen({ indexes, doubter }: Group): readonly BatchIndex[] {
    if (doubter === null || this.#trustOf(doubter) !== 'proven') return indexes;
    const chosen = this.#confirmed.get(doubter.instance) ?? new Set<number>();
    this.#confirmed.set(doubter.instance, chosen);
    return indexes.filter((index) => {
      const { domain } = this.#addresses.at(index);
      if (chosen.size < CONFIRMED_MAX) chosen.add(domain);
      return chosen.has(domain);
    });
  }

  /**
   * Whether it may still turn out how far a host in doubt is believed, so that nothing of it is settled yet.
   * @param isBusy whether a process has, or is about to get, a job of this batch
   * @param asked what another host is to be asked about, now or as soon as there is room
   */
  #mayTurnOut(
    { doubter }: Group,
    isBusy: (instance: string) => boolean,
    asked: { has(index: number): boolean },
  ): boolean {
    if (doubter === null) return false;
    const { instance } = doubter;
    if (this.#trustOf(doubter) === 'unproven') return isBusy(instance);
    return this.#addresses.some(
      ({ state, domain, doubters }, index) =>
        (state === 'out' || asked.has(index)) &&
        this.#confirmed.get(instance)?.has(domain) === true &&
        doubters.some((one) => one.instance === instance),
    );
  }

  /**
   * Whether a job is better taken from its host: not trusted, it reached none of many domains in a row, and there is a
   * host that has not tried what is left.
   */
  isFutile(job: Job, members: readonly Member[]): boolean {
    if (job.doubtfulDomains.size < FUTILE_DOMAINS || this.#trustOf(job.to) === 'trusted') return false;
    const [left] = job.open;
    if (left === undefined) return false;
    const { tried } = this.#addresses.at(inBatch(job, left));
    return otherHosts(members, [...tried, job.to]).some((m) => !this.#hosts.rate(m).avoided);
  }
}
