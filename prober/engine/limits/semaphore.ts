import type { Lane } from '../ports/lane.ts';
import type { Account, Clock } from '../ports/ports.ts';
import { FeedbackWindow } from './feedback-window.ts';
import { TokenBucket } from './token-bucket.ts';

/** An account that is alone leaves a fifth of all slots free, so that a newcomer can start at once. */
const ALONE_PART = 0.8;

export type Waiter = {
  readonly account: Account;
  /** It starts only if this is ready. */
  readonly lane?: Lane | undefined;
  /** This limit lets it start. It is no longer in its queue. */
  readonly takeTurn: () => void;
};

export type SemaphoreOptions = {
  readonly connections: number;
  readonly perMinute?: number;
  /** Called when a connection waits for a slot: an idle one should end. */
  readonly makeRoom?: (semaphore: Semaphore) => void;
};

/** With no more than these, empty shares are kept: a small map allocates another table for most deletions. */
const EMPTY_MAX = 4;

type Share = { held: number; readonly waiting: Waiter[] };
const NOTHING = { held: 0, waiting: [] } as const;

/**
 * One limit: of this process, a listed provider or a dialled address. Waiting accounts take turns: the one with the
 * fewest starts in the last minute is next, and among equals the one that holds the fewest.
 */
export class Semaphore {
  readonly pace: TokenBucket | null;
  readonly window: FeedbackWindow;
  readonly #clock: Clock;
  readonly #options: SemaphoreOptions;
  readonly #shares = new Map<Account, Share>();
  #inUse = 0;
  #waiting = 0;
  #retry: (() => void) | null = null;
  #disarm: (() => void) | null = null;

  constructor(clock: Clock, options: SemaphoreOptions) {
    this.#clock = clock;
    this.#options = options;
    this.window = new FeedbackWindow(options.connections);
    this.pace =
      options.perMinute === undefined || options.perMinute === Infinity ? null : new TokenBucket(options.perMinute);
  }

  get inUse(): number {
    return this.#inUse;
  }

  get load(): number {
    return this.#inUse + this.#waiting;
  }

  /** A new one would behave the same. */
  isForgettable(now: number): boolean {
    const { connections } = this.#options;
    return this.load === 0 && this.window.size(now) === connections && this.pace?.isForgettable(now) !== false;
  }

  /** Whether a connection of an account that does not wait here may begin now. */
  lets(account: Account, now: number): boolean {
    const { held, waiting } = this.#shares.get(account) ?? NOTHING;
    return this.#hasPlace(held, now) && this.#startsAt(now, 0, held + waiting.length === 0 ? account : null) <= now;
  }

  /** The earliest start of a connection of an account, given a slot. @param isQueued it is the last one waiting here */
  startsAt(account: Account, isQueued: boolean, now: number): number {
    const { held, waiting } = this.#shares.get(account) ?? NOTHING;
    const behind = Math.max(0, waiting.length - (isQueued ? 1 : 0));
    return this.#startsAt(now, behind, behind + held === 0 ? account : null);
  }

  take(account: Account): void {
    this.#inUse += 1;
    this.#share(account).held += 1;
  }

  giveBack(account: Account): void {
    this.#inUse -= 1;
    const share = this.#share(account);
    share.held -= 1;
    this.#drop(account, share);
  }

  /** Queues behind the others of its account, and starts at once if it is its turn. */
  enqueue(waiter: Waiter): void {
    this.#waiting += 1;
    this.#share(waiter.account).waiting.push(waiter);
    this.serve();
  }

  dequeue(waiter: Waiter): void {
    const { account } = waiter;
    const share = this.#share(account);
    this.#waiting -= 1;
    share.waiting.splice(share.waiting.indexOf(waiter), 1);
    this.#drop(account, share);
  }

  /** Lets waiting connections start, in turn, while there is room. An idle connection in their way ends. */
  serve(): void {
    if (this.#waiting === 0) return;
    const now = this.#clock.now();
    for (let next = this.#next(now); next !== null; next = this.#next(now)) {
      // Its account has had its turn: among equals the others come first.
      const share = this.#share(next.account);
      this.#shares.delete(next.account);
      this.#shares.set(next.account, share);
      this.dequeue(next);
      next.takeTurn();
    }
    this.#attend(now);
    if (this.isWanted(now)) this.#options.makeRoom?.(this);
  }

  /**
   * Whether an account waits for a slot that only the end of another connection can free.
   * @param than only one that holds fewer than this account does, by so many, counts
   */
  isWanted(now: number, than?: { readonly account: Account; readonly fewer: number }): boolean {
    if (this.#waiting === 0 || this.#startsAt(now) > now) return false;
    const most = than === undefined ? Infinity : (this.#shares.get(than.account)?.held ?? 0) - than.fewer;
    for (const [account, { held, waiting }] of this.#shares)
      if (waiting.length > 0 && account !== than?.account && held <= most && !this.#hasPlace(held, now)) return true;
    return false;
  }

  #share(account: Account): Share {
    let share = this.#shares.get(account);
    if (share === undefined) this.#shares.set(account, (share = { held: 0, waiting: [] }));
    return share;
  }

  #drop(account: Account, { held, waiting }: Share): void {
    if (held + waiting.length === 0 && this.#shares.size > EMPTY_MAX) this.#shares.delete(account);
  }

  /** The next connection in turn that this limit lets start; null if there is none. */
  #next(now: number): Waiter | null {
    const retry = (this.#retry ??= () => this.serve());
    let next: Waiter | null = null;
    let [fewest, least] = [Infinity, Infinity];
    for (const [account, { held, waiting }] of this.#shares) {
      if (waiting.length === 0 || !this.#hasPlace(held, now)) continue;
      const started = this.pace?.startsOf(account, now) ?? 0;
      if (started > fewest || (started === fewest && held >= least)) continue;
      if (this.#startsAt(now, 0, held + waiting.length === 1 ? account : null) > now) continue;
      const ready = waiting.find(({ lane }) => lane?.isReady(retry) !== false);
      if (ready !== undefined) [next, fewest, least] = [ready, started, held];
    }
    return next;
  }

  /** Serves the queue when the limit opens by itself. */
  #attend(now: number): void {
    this.#disarm?.();
    this.#disarm = null;
    if (this.#waiting === 0) return;
    const startsAt = this.#startsAt(now);
    const at = startsAt > now ? startsAt : this.window.widensAt(now);
    if (at < Infinity) this.#disarm = this.#clock.after(Math.max(1, Math.ceil(at - now)), () => this.serve());
  }

  /** See `TokenBucket.startsAt`. */
  #startsAt(now: number, behind = 0, only: Account | null = null): number {
    return Math.max(this.pace?.startsAt(now, behind, only) ?? now, this.window.restsUntil);
  }

  /**
   * An account that holds none may take any slot; otherwise it may hold its share of what the others leave, and the
   * fuller the semaphore the smaller that is: accounts that arrive one by one do not fill it.
   */
  #hasPlace(held: number, now: number): boolean {
    const size = this.window.size(now);
    const free = size - this.#inUse;
    if (free <= 0 || held === 0 || size === Infinity) return free > 0;
    const left = free + held;
    return held + 1 <= ALONE_PART * left * (left / size);
  }
}
