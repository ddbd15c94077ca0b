import type { Account } from '../ports/ports.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { CoolDown } from './cool-down.ts';
import { FairShare, type Ticket } from './fair-share.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * The limit of one scope: this process, a provider, a network, a dialled address, or an account at one. It bounds
 * connections at once, their rate, and cools down; accounts whose connections wait for it take turns.
 */
export class ScopeLimit<Group> {
  readonly coolDown = new CoolDown();
  readonly rate: RateLimit | null;
  /** Waiting groups that have to pass this limit, in any queue. */
  groups = 0;
  readonly #concurrency: ConcurrencyLimit;
  readonly #share = new FairShare<Account, Group>();
  #timer: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param connections at once */
  constructor(connections: number, rate: RateLimit | null = null) {
    this.#concurrency = new ConcurrencyLimit(connections);
    this.rate = rate;
  }

  /** Connections now. */
  get held(): number {
    return this.#share.held;
  }

  free(now: number): number {
    return this.#concurrency.allowedAt(now) - this.#share.held;
  }

  /** The server bears no more than `to` at once; the limit rises again with time. */
  lower(to: number, now: number): void {
    this.#concurrency.lower(to, now);
  }

  /** No connection holds it or waits for it. */
  get isUnused(): boolean {
    return this.#share.held === 0 && this.groups === 0;
  }

  /** A new one would behave the same. */
  isForgettable(now: number): boolean {
    return (
      this.isUnused &&
      this.#concurrency.isUnreduced(now) &&
      this.rate?.isForgettable(now) !== false &&
      this.coolDown.isForgettable(now)
    );
  }

  /** When it lets the next connection pass, in the clock's milliseconds; Infinity while it is full: only once one ends. */
  get opensAt(): number {
    return Math.max(this.#concurrency.opensAt(this.#share.held), this.coolDown.until, this.rate?.readyAt ?? 0);
  }

  acquire(account: Account, now: number): void {
    this.#share.acquire(account);
    this.rate?.countStart(now);
  }

  release(account: Account): void {
    this.#share.release(account);
  }

  enqueue(account: Account, group: Group): Ticket<Account, Group> {
    return this.#share.enqueue(account, group);
  }

  dequeue(ticket: Ticket<Account, Group>): void {
    this.#share.dequeue(ticket);
  }

  /** The group whose turn it is; null if none is queued here. */
  next(): Group | null {
    return this.#share.next()?.item ?? null;
  }

  /** Leaves an account out of the turns until `resume`. */
  skip(account: Account): void {
    this.#share.skip(account);
  }

  resume(account: Account): void {
    this.#share.resume(account);
  }

  /** Calls `serve` when it opens by itself, if a group is queued here; while it is full, a connection that ends does. */
  serveWhenOpen(now: number, after: (delayMs: number, run: () => void) => () => void, serve: () => void): void {
    const at = this.next() === null ? Infinity : this.opensAt;
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
}
