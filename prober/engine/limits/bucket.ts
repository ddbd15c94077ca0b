import type { Account, Clock } from '../ports/ports.ts';
import { CoolDown } from './server/cool-down.ts';
import { Pace } from './server/pace.ts';

/** After this long without a new refusal, a server that was lowered is tried with one more connection. */
export const RAISE_AFTER_MS = 30_000;
/** How long a session may continue although a waiting account holds only one connection fewer. */
const SLICE_MS = 2_000;
/** An account that is alone leaves a fifth of all slots free, so that a newcomer can start at once. */
const ALONE_PART = 0.8;

/** A waiting connection. */
export type Waiter = {
  readonly account: Account;
  /** Whether it could start if allowed. @param retry called once it can */
  readonly isReady: (retry: () => void) => boolean;
  /** This limit lets it start. It is no longer in its queue. */
  readonly takeTurn: () => void;
};

/** A connection that holds a slot but is not in use. */
export type Idle = { readonly endIdle: () => void };

/** The most concurrent connections, and the most per minute. */
export type Size = { readonly connections: number; readonly perMinute?: number };

/**
 * One limit: of this process, a listed provider or a dialled address. It counts the connections in use, says when the
 * next one may start, and has cool-downs. Waiting accounts take turns: the account with the fewest starts in the last
 * minute is next, and among equals the one that holds the fewest.
 */
export class Bucket {
  readonly coolDown = new CoolDown();
  readonly pace: Pace | null;
  #inUse = 0;
  /** Concurrent connections: as configured, or what the server has proved to accept. */
  readonly #size: number;
  #lowered: number;
  #loweredAt = 0;
  readonly #held = new Map<Account, number>();
  #queue: Map<Account, Set<Waiter>> | null = null;
  /**
   * The longest idle first. An array: a set keeps deleted entries alive in its old table, and closed sockets with them.
   */
  readonly #idle: Idle[] = [];
  #retry: (() => void) | null = null;
  #timer: { readonly at: number; readonly cancel: () => void } | null = null;
  readonly #clock: Clock;

  constructor(clock: Clock, { connections, perMinute }: Size) {
    this.#clock = clock;
    this.#size = connections;
    this.#lowered = connections;
    this.pace = perMinute === undefined ? null : new Pace(perMinute);
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** No connection holds it or waits for it. */
  get isUnused(): boolean {
    return this.#inUse === 0 && this.#queue === null;
  }

  /** A new one would behave the same. */
  isForgettable(now: number): boolean {
    return (
      this.isUnused &&
      this.#sizeAt(now) === this.#size &&
      this.coolDown.isForgettable(now) &&
      this.pace?.isForgettable(now) !== false
    );
  }

  /** Whether a connection of an account may begin now. */
  lets(account: Account, now: number): boolean {
    return this.#hasPlace(account, now) && this.#mayStart(account, this.waiting(account) + 1, now);
  }

  /**
   * The earliest start of one more connection of an account, if no other account goes first. @param behind the
   * account's waiting ones
   */
  reachedAt(account: Account, behind: number, now: number): number {
    if (this.pace === null) return now;
    const isOne = behind === 0 && this.#heldBy(account) === 0;
    return isOne ? this.pace.readyForOneAt(account, now) : this.pace.reachedAt(behind, now);
  }

  take(account: Account): void {
    this.#inUse += 1;
    this.#held.set(account, this.#heldBy(account) + 1);
  }

  giveBack(account: Account): void {
    this.#inUse -= 1;
    const held = this.#heldBy(account) - 1;
    if (held > 0) this.#held.set(account, held);
    else this.#held.delete(account);
  }

  /** A connection that is not in use: it ends as soon as its slot is wanted. */
  noteIdle(connection: Idle): void {
    this.#idle.push(connection);
  }

  noteBusy(connection: Idle): void {
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** The server accepts no more than `to`, and at least one. */
  lower(to: number, now: number): void {
    if (to >= this.#sizeAt(now)) return;
    this.#lowered = Math.max(1, to);
    this.#loweredAt = now;
  }

  /** How many connections of an account wait here. */
  waiting(account: Account): number {
    return this.#queue?.get(account)?.size ?? 0;
  }

  /** Queues behind the others of its account. */
  enqueue(waiter: Waiter): void {
    this.#queue ??= new Map();
    const own = this.#queue.get(waiter.account) ?? new Set();
    this.#queue.set(waiter.account, own.add(waiter));
  }

  dequeue(waiter: Waiter): void {
    const own = this.#queue?.get(waiter.account);
    if (own?.delete(waiter) !== true || own.size > 0) return;
    this.#queue?.delete(waiter.account);
    if (this.#queue?.size === 0) this.#queue = null;
  }

  /** A connection waits that this limit would let start. */
  hasNext(now: number): boolean {
    return this.#queue !== null && this.#next(now) !== null;
  }

  /** Lets waiting connections start, in turn, while there is room. An idle connection in their way ends. */
  serve(): void {
    if (this.#queue === null && this.#timer === null) return;
    for (let next = this.#next(this.#clock.now()); next !== null; next = this.#next(this.#clock.now())) {
      this.#passTurn(next);
      next.takeTurn();
    }
    this.#attend();
    if (this.#idle.length > 0 && this.isWanted(this.#clock.now())) this.#idle[0]?.endIdle();
  }

  /** A connection waits for a slot that only the end of another can free. @param but this account does not count */
  isWanted(now: number, but?: Account): boolean {
    if (this.#queue === null || this.#startsAt() > now) return false;
    for (const account of this.#queue.keys()) if (account !== but && !this.#hasPlace(account, now)) return true;
    return false;
  }

  /** Whether a connection should end between two recipients: an account that holds fewer waits for its slot. */
  isDue(account: Account, sinceMs: number, now: number): boolean {
    if (this.#queue === null || this.#startsAt() > now) return false;
    const fewer = this.#heldBy(account) - (now - sinceMs >= SLICE_MS ? 1 : 2);
    for (const other of this.#queue.keys())
      if (other !== account && this.#heldBy(other) <= fewer && !this.#hasPlace(other, now)) return true;
    return false;
  }

  /** Its account has had its turn: among equals the others come first. */
  #passTurn(waiter: Waiter): void {
    this.dequeue(waiter);
    const { account } = waiter;
    const own = this.#queue?.get(account);
    if (own === undefined) return;
    this.#queue?.delete(account);
    this.#queue?.set(account, own);
  }

  /** The next connection in turn that this limit lets start; null if there is none. */
  #next(now: number): Waiter | null {
    if (this.#queue === null) return null;
    const starts = this.pace?.startsByAccount(now);
    let next: Waiter | null = null;
    let [fewest, least] = [Infinity, Infinity];
    for (const [account, waiters] of this.#queue) {
      const [started, held] = [starts?.get(account) ?? 0, this.#heldBy(account)];
      if (started > fewest || (started === fewest && held >= least) || !this.#hasPlace(account, now)) continue;
      if (!this.#mayStart(account, waiters.size, now)) continue;
      const first = this.#firstReady(waiters);
      if (first !== null) [next, fewest, least] = [first, started, held];
    }
    return next;
  }

  #firstReady(waiters: Iterable<Waiter>): Waiter | null {
    this.#retry ??= () => this.serve();
    for (const waiter of waiters) if (waiter.isReady(this.#retry)) return waiter;
    return null;
  }

  /** Serves the queue when the limit opens by itself. */
  #attend(): void {
    const now = this.#clock.now();
    const at = this.#queue === null ? Infinity : this.#opensAt(now);
    if (this.#timer?.at === at) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (at === Infinity) return;
    const cancel = this.#clock.after(Math.max(1, Math.ceil(at - now)), () => {
      this.#timer = null;
      this.serve();
    });
    this.#timer = { at, cancel };
  }

  /**
   * An account that holds none may take any slot; otherwise it may hold its share of what the others leave, and the
   * fuller the bucket the smaller that is: accounts that arrive one by one do not fill it.
   */
  #hasPlace(account: Account, now: number): boolean {
    const size = this.#sizeAt(now);
    const free = size - this.#inUse;
    const held = this.#heldBy(account);
    if (free <= 0 || held === 0 || size === Infinity) return free > 0;
    const left = free + held;
    return held + 1 <= ALONE_PART * left * (left / size);
  }

  /**
   * Whether a connection of an account may start, given a slot. @param waiting how many of the account wait, this one
   * included
   */
  #mayStart(account: Account, waiting: number, now: number): boolean {
    if (this.pace === null) return true;
    const isOne = waiting === 1 && this.#heldBy(account) === 0;
    return (isOne ? this.pace.readyForOneAt(account, now) : this.pace.readyAt()) <= now;
  }

  /** When a connection may start, given a slot. */
  #startsAt(): number {
    return this.pace?.readyAt() ?? 0;
  }

  /** When more may be open, in the clock's milliseconds; Infinity: only once another ends. */
  #opensAt(now: number): number {
    const startsAt = this.#startsAt();
    if (startsAt > now) return startsAt;
    const size = this.#sizeAt(now);
    return size === this.#size ? Infinity : this.#loweredAt + (size + 1 - this.#lowered) * RAISE_AFTER_MS;
  }

  #sizeAt(now: number): number {
    return Math.min(this.#size, this.#lowered + Math.floor((now - this.#loweredAt) / RAISE_AFTER_MS));
  }

  #heldBy(account: Account): number {
    return this.#held.get(account) ?? 0;
  }
}
