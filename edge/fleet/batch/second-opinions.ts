import type { LinkEvidence } from '../../../schema/link.ts';
import { OUTCOMES } from '../../../schema/outcomes.ts';
import { type Heard, isInDoubt, provesReach } from '../trust/doubt.ts';
import type { Trust } from '../trust/host-record.ts';
import type { HostTrust } from '../trust/host-records.ts';
import { afterDecline, type HostRef, type Member, otherEgress, otherHosts } from '../trust/roster.ts';
import type { AddressState, AddressStates, Group, HostLists } from './address-state.ts';
import { Confirmations } from './confirmations.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import { inBatch, type Job } from './job.ts';

/** Answers of one address at most; evidence from two hosts is enough in any case. */
export const ANSWERS_MAX = 3;
/** A host that is not trusted and reached none of this many domains in a row loses its job to another. */
const FUTILE_DOMAINS = 20;

/** Whose word counts within one batch, and which other host is asked. */
export class SecondOpinions {
  readonly #hosts: HostTrust;
  readonly #account: string;
  readonly #addresses: AddressStates;
  readonly #confirmations = new Confirmations();
  /** Processes that could not reach what another host then reached: in this batch nothing in doubt is believed of them. */
  readonly #contradicted = new Set<string>();

  /** @param account whose batch it is, as contradictions are counted */
  constructor(hosts: HostTrust, account: string, addresses: AddressStates) {
    this.#hosts = hosts;
    this.#account = account;
    this.#addresses = addresses;
  }

  trustOf({ instance }: HostRef): Trust {
    return this.#contradicted.has(instance) ? 'unproven' : this.#hosts.trustOf(instance);
  }

  /** A host that reached a receiver speaks for itself, and against every host that could not. */
  compare(job: Job, address: AddressState, { outcome }: LinkEvidence, lists: HostLists): void {
    if (isInDoubt(outcome)) {
      job.doubtfulDomains.add(address.domain);
      address.doubters = lists.after(address.doubters, job.to);
      address.sampled ||= this.trustOf(job.to) === 'trusted' && this.#hosts.sample(job.to.instance);
      return;
    }
    if (!provesReach(outcome)) return;
    job.doubtfulDomains.clear();
    this.#hosts.reached(job.to);
    for (const doubter of address.doubters) {
      this.#contradicted.add(doubter.instance);
      this.#hosts.contradicted(doubter, address.domain, this.#account);
    }
  }

  /** Whether a host that has not tried yet may learn more of an address. */
  wantsAnother(address: AddressState, { from, evidence: { outcome } }: Heard): boolean {
    if (address.answers >= ANSWERS_MAX) return false;
    if (OUTCOMES[outcome.kind].turnedAway) return address.seen < 2;
    if (!isInDoubt(outcome)) return outcome.kind === 'unprobed' && outcome.why !== 'deadline';
    switch (this.trustOf(from)) {
      case 'trusted':
        return address.sampled && address.seen < 2;
      case 'proven':
        return address.seen < 2;
      case 'unproven':
        return true;
    }
  }

  /** Who may be asked about what is held. About a doubtful one those go first whose own word would count. */
  candidates({ tried, needsEgress, declined, doubter }: Group, members: readonly Member[]): readonly Member[] {
    if (declined) return afterDecline(members, tried);
    if (needsEgress) return otherEgress(members, tried);
    const others = otherHosts(members, tried);
    if (doubter === null) return others;
    const believed = others.filter((m) => this.trustOf(m) !== 'unproven');
    if (believed.length > 0 || this.trustOf(doubter) === 'unproven') return believed.length > 0 ? believed : others;
    return others.filter((m) => !this.#hosts.rate(m.instance).avoided);
  }

  /** Those of a group that another host is to be asked about. */
  chosen({ indexes, doubter }: Group): readonly BatchIndex[] {
    if (doubter === null || this.trustOf(doubter) !== 'proven') return indexes;
    return this.#confirmations.choose(doubter.instance, this.#addresses, indexes);
  }

  /**
   * Whether it may still turn out how far a host in doubt is believed, so that nothing of it is settled yet.
   * @param isBusy whether a process has, or is about to get, a job of this batch
   * @param asked what another host is to be asked about, now or as soon as there is room
   */
  mayTurnOut(
    { doubter }: Group,
    isBusy: (instance: string) => boolean,
    asked: { has(index: number): boolean },
  ): boolean {
    if (doubter === null) return false;
    const { instance } = doubter;
    if (this.trustOf(doubter) === 'unproven') return isBusy(instance);
    return this.#addresses.some(
      (address, index) =>
        (address.state === 'out' || asked.has(index)) && this.#confirmations.decides(instance, address),
    );
  }

  /**
   * Whether a job is better taken from its host: not trusted, it reached none of many domains in a row, and there is a
   * host that has not tried what is left.
   */
  isFutile(job: Job, members: readonly Member[]): boolean {
    if (job.doubtfulDomains.size < FUTILE_DOMAINS || this.trustOf(job.to) === 'trusted') return false;
    const [left] = job.open;
    if (left === undefined) return false;
    const { tried } = this.#addresses.at(inBatch(job, left));
    return otherHosts(members, [...tried, job.to]).some((m) => !this.#hosts.rate(m.instance).avoided);
  }
}
