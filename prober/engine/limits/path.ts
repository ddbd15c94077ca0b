import type { EngineObserver, Seat } from '../ports/observer.ts';
import type { Account } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Bucket } from './bucket.ts';
import type { Complaint } from './server/complaint.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import type { UnknownRecipients } from './server/unknown-recipients.ts';
import type { Server } from './servers.ts';

/** Everything between one egress address and one dialled address, and where results are recorded. */
export class Path {
  readonly egress: Egress;
  readonly address: Server;
  readonly #provider: Server | null;
  readonly seat: Seat;
  /** From the narrowest to the broadest. */
  readonly buckets: readonly Bucket[];

  constructor(
    { egress, place }: { readonly egress: Egress; readonly place: number },
    address: Server,
    provider: Server | null,
    process: Bucket,
  ) {
    this.egress = egress;
    this.address = address;
    this.#provider = provider;
    this.seat = { provider: provider?.name ?? null, egress: place };
    this.buckets = provider === null ? [address.bucket, process] : [address.bucket, provider.bucket, process];
  }

  /** The limit on unknown recipients there. */
  get unknown(): UnknownRecipients {
    return (this.#provider ?? this.address).unknown;
  }

  /** Whether its dialled address was used less by this account than that of the other path. */
  isLessUsed({ address: { bucket: other } }: Path, account: Account): boolean {
    const { bucket } = this.address;
    const more = bucket.inUse + bucket.waiting(account) - other.inUse - other.waiting(account);
    return more === 0 ? (bucket.pace?.fullAt ?? 0) < (other.pace?.fullAt ?? 0) : more < 0;
  }

  /** Until when the server is in cool-down, for all or for this account; in the past if it is not. */
  restsUntil(account: Account): number {
    const { bucket, refusals } = this.address;
    return Math.max(
      bucket.coolDown.until,
      refusals.restsUntil(account),
      this.#provider === null ? 0 : this.#provider.bucket.coolDown.until,
    );
  }

  /**
   * The earliest start of one more connection of an account, if no other account goes first.
   * @param isQueued it is one of those waiting
   */
  reachedAt(account: Account, now: number, isQueued: boolean): number {
    let at = now;
    for (const bucket of this.buckets) {
      const behind = Math.max(0, bucket.waiting(account) - (isQueued ? 1 : 0));
      at = Math.max(at, bucket.reachedAt(account, behind, now));
    }
    return at;
  }

  /** A recipient of this account got a verdict. */
  ease(account: Account): void {
    this.address.refusals.end(account);
    this.address.bucket.coolDown.ease();
    this.address.bucket.pace?.ease();
    this.#provider?.bucket.coolDown.ease();
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
    const { bucket, name } = this.address;
    if (!bucket.coolDown.begin(as, now)) return false;
    if (this.#provider?.countCoolDown(name, as, now) === true)
      observer?.providerRests(this.seat, why, this.#provider.bucket.coolDown.until - now);
    return true;
  }
}
