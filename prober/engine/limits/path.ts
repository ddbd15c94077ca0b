import type { EngineObserver } from '../ports/observer.ts';
import type { Account } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Bucket } from './bucket.ts';
import type { Complaint } from './server/complaint.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import type { Server } from './servers.ts';

/** Everything between one egress address and one dialled address, and where results are recorded. */
export class Path {
  readonly egress: Egress;
  readonly ip: string;
  readonly address: Server;
  readonly #provider: Server | null;
  /** From the narrowest to the broadest. */
  readonly buckets: readonly Bucket[];

  constructor(egress: Egress, ip: string, address: Server, provider: Server | null, process: Bucket) {
    this.egress = egress;
    this.ip = ip;
    this.address = address;
    this.#provider = provider;
    this.buckets = provider === null ? [address.bucket, process] : [address.bucket, provider.bucket, process];
  }

  /** The provider if it is a listed one: unknown recipients are counted there. */
  get whole(): Server {
    return this.#provider ?? this.address;
  }

  /** Whether its dialled address is used less, or was used less lately, than that of the other path. */
  isLessUsed({ address: { bucket: other } }: Path): boolean {
    const { bucket } = this.address;
    if (bucket.load !== other.load) return bucket.load < other.load;
    return (bucket.pace?.fullAt ?? 0) < (other.pace?.fullAt ?? 0);
  }

  /** Until when the server is in cool-down, for all or for this account; in the past if it is not. */
  restsUntil(account: Account): number {
    const { coolDown, refusals } = this.address;
    return Math.max(coolDown.until, refusals.restsUntil(account), this.whole.coolDown.until);
  }

  /**
   * The first bucket that does not let a connection of an account start; null: there is none.
   * @param isNew those that wait go first
   */
  stopsAt(account: Account, now: number, isNew: boolean): Bucket | null {
    for (const bucket of this.buckets) if (!bucket.lets(account, now) || (isNew && bucket.hasNext(now))) return bucket;
    return null;
  }

  /**
   * The time before which no connection of an account should wait; now: it may wait, or start.
   * @param isQueued it is one of those waiting
   */
  waitsUntil(account: Account, deadlineMs: number, isQueued: boolean, now: number): number {
    let startsAt = now;
    for (const bucket of this.buckets) startsAt = Math.max(startsAt, bucket.startsAt(account, isQueued, now));
    // A start after its deadline is no better than a cool-down.
    return Math.max(now, this.restsUntil(account), startsAt > deadlineMs ? startsAt : now);
  }

  /** A recipient of this account got a verdict. */
  ease(account: Account): void {
    this.address.refusals.end(account);
    this.address.coolDown.ease();
    this.#provider?.coolDown.ease();
  }

  /**
   * The server complained about us when asked about a domain.
   * @param since the streak of refusals when the domain was first asked about
   * @returns whether this starts a cool-down for someone
   */
  complained(
    { when, why }: Complaint,
    of: { readonly account: Account; readonly domain: string; readonly since: number },
    now: number,
    observer: EngineObserver | null,
  ): boolean {
    if (when === 'opening') return this.#rest(why, why, now, observer);
    const rests = this.address.refusals.add(of.account, of.domain, why, now, of.since);
    if (rests === null || rests === 'account') return rests !== null;
    // However certain it sounds, it may be the policy of some domains: the first cool-down is short.
    return this.#rest(rests, 'asked_too_much', now, observer);
  }

  /** Starts a cool-down of the address, and of its provider if several of its addresses have one. */
  #rest(why: CoolDownCause, as: CoolDownCause, now: number, observer: EngineObserver | null): boolean {
    if (!this.address.coolDown.begin(as, now)) return false;
    const provider = this.#provider;
    if (provider?.countCoolDown(this.ip, as, now) === true)
      observer?.providerRests(provider.seat, why, provider.coolDown.until - now);
    return true;
  }
}
