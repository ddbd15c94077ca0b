import type { SharedResource } from '../../../schema/shares.ts';
import type { Account } from '../ports/ports.ts';
import { ConcurrencyLimit } from './server/concurrency-limit.ts';
import { CoolDown } from './server/cool-down.ts';
import { FairShare } from './shares/fair-share.ts';
import type { RateLimit } from './server/rate-limit.ts';
import { Recalls } from './shares/recalls.ts';
import type { Tenure } from './shares/tenure.ts';

type Holder = { readonly account: Account };
type Timer = { readonly at: number; readonly cancel: () => void };
type After = (delayMs: number, run: () => void) => () => void;

export type Scope = {
  readonly resource: SharedResource;
  /** Connections at once. */
  readonly connections: number;
  /** As in `FairShare`. */
  readonly places: 'kept' | 'lent';
  readonly rate?: RateLimit;
};

/**
 * The limit of one scope: this process, a provider, a network, a dialled address, or an account at one. It bounds
 * connections at once, their rate, and cools down; accounts whose connections wait for it take turns.
 */
export class ScopeLimit<Group> {
  readonly coolDown = new CoolDown();
  readonly rate: RateLimit | null;
  /** Waiting groups that have to pass this limit, in any queue. */
  groups = 0;
  readonly concurrency: ConcurrencyLimit;
  /** Who holds how much, and the groups that are queued here. */
  readonly share: FairShare<Account, Group>;
  readonly recalls: Recalls;
  #timer: Timer | null = null;

  constructor({ resource, connections, places, rate }: Scope) {
    this.concurrency = new ConcurrencyLimit(connections);
    this.share = new FairShare(resource, places);
    this.recalls = new Recalls(this.share);
    this.rate = rate ?? null;
  }

  free(now: number): number {
    return this.concurrency.allowedAt(now) - this.share.held;
  }

  /** No connection holds it or waits for it. */
  get isUnused(): boolean {
    return this.share.held === 0 && this.groups === 0;
  }

  /** A new one would behave the same. */
  isForgettable(now: number): boolean {
    return (
      this.isUnused &&
      this.concurrency.isUnreduced(now) &&
      this.rate?.isForgettable(now) !== false &&
      this.coolDown.isForgettable(now)
    );
  }

  /** When it lets an account's next connection pass, in the clock's milliseconds; Infinity: only once one ends. */
  opensAt({ account }: Holder, now: number): number {
    const size = this.concurrency.allowedAt(now);
    const places = this.share.lack(account, size) === 'share' ? Infinity : 0;
    return Math.max(places, this.#opensAt(now));
  }

  acquire(tenure: Tenure, now: number): void {
    this.recalls.add(tenure);
    this.share.acquire(tenure.account);
    this.rate?.countStart(now);
  }

  release(tenure: Tenure): void {
    this.recalls.remove(tenure);
    this.share.release(tenure.account);
  }

  /** The group whose turn it is of those that may have a place; null if none is queued here. */
  next(now: number): Group | null {
    // Mostly nobody waits.
    return this.groups === 0 ? null : (this.share.next(this.concurrency.allowedAt(now))?.item ?? null);
  }

  /** Some group is queued here. */
  get isWaitedFor(): boolean {
    return this.groups > 0 && this.share.head() !== null;
  }

  /** Somebody waits for a place here that only another connection's end can give. */
  isShort(now: number): boolean {
    return this.isWaitedFor && (this.free(now) <= 0 || this.next(now) === null);
  }

  /** The same, and it is another account's turn. */
  isShortForOther({ account }: Tenure, now: number): boolean {
    return this.isShort(now) && this.share.head()?.account.key !== account;
  }

  /** Whether a connection should end between two recipients: another account, which holds fewer, waits for its place. */
  isDue(tenure: Tenure, now: number): boolean {
    if (this.groups === 0 || this.free(now) > 0) return false;
    const excess = this.share.excess(tenure.account);
    return tenure.isDue(excess, now);
  }

  /** Makes sure that the queue here moves on: when the limit opens by itself, or by ending what is held beyond a share. */
  attend(now: number, after: After, serve: () => void): void {
    const at = this.isWaitedFor ? Math.min(this.#opensAt(now), this.#lookAgainAt(now)) : Infinity;
    if (this.#timer?.at === at) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (at === Infinity || at <= now) return;
    const cancel = after(Math.max(1, Math.ceil(at - now)), () => {
      this.#timer = null;
      serve();
    });
    this.#timer = { at, cancel };
  }

  /** When it lets somebody pass, as far as shares allow it. */
  #opensAt(now: number): number {
    return Math.max(this.concurrency.opensAt(this.share.held), startsAt(this, now));
  }

  /** Nothing is called back for a connection that may not start yet. */
  #lookAgainAt(now: number): number {
    const at = startsAt(this, now);
    if (at > now) return at;
    return this.recalls.look(this.isShort(now), this.concurrency.allowedAt(now), now);
  }
}

/** When a connection may start, if there is a place. */
function startsAt({ coolDown, rate }: Pick<ScopeLimit<unknown>, 'coolDown' | 'rate'>, now: number): number {
  return Math.max(coolDown.until, rate?.readyAt(now) ?? 0);
}
