import type { Account } from '../../ports/ports.ts';
import { CoolDown } from './cool-down.ts';

const MINUTE_MS = 60_000;
/** This share of a minute's connections may start at once. */
const BURST = 0.3;
/**
 * The rest start at this share of the allowed rate, which leaves starts for accounts that only need one now and then.
 */
export const STEADY = 0.85;
/** This many starts of occasional accounts may come early: later ones wait. */
const AHEAD = 3;
/** Sums of intervals are inexact: a start this little early is on time. */
const ROUNDING_MS = 0.01;
/** This many connections of ours within a minute are a crowd, which a server may have had enough of. */
const CROWD_MIN = 3;
/** For a server without a limit no more starts are kept. */
const STARTS_MAX = 100;

/** A connection that was started, and how far it got: rejected or accepted by the server, and some recipient judged. */
export type Start = {
  readonly account: Account;
  readonly atMs: number;
  state: 'dialled' | 'turned_away' | 'accepted' | 'served';
};

/**
 * Connections started per minute: a token bucket, a window of one minute that is never exceeded, and a back-off that
 * empties the bucket when the server has had enough.
 */
export class Pace {
  readonly #perMinute: number;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #backOff = new CoolDown();
  /** Those of the last minute, oldest first; no more than a minute allows. */
  readonly #starts: Start[] = [];
  #fullAt = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#intervalMs = MINUTE_MS / (perMinute * STEADY);
    if (this.#intervalMs > MINUTE_MS) this.#intervalMs = MINUTE_MS;
    this.#burstMs = perMinute === Infinity ? 0 : (Math.max(1, Math.floor(perMinute * BURST)) - 1) * this.#intervalMs;
  }

  /** When the bucket is full again; the earlier of two was used less. */
  get fullAt(): number {
    return this.#fullAt;
  }

  /** When the next connection may start. */
  readyAt(): number {
    const ordinary = Math.max(1, Math.ceil(this.#perMinute * STEADY));
    return Math.max(this.#fullAt - this.#burstMs - ROUNDING_MS, this.#windowAt(ordinary));
  }

  /** The same for an account with no other request and few recent ones: it overtakes those that queue for the pace. */
  readyForOneAt(account: Account, now: number): number {
    const readyAt = this.readyAt();
    if (readyAt <= now) return readyAt;
    const own = this.#lastMinute(now).filter((start) => start.account === account).length;
    if (own >= this.#perMinute * (1 - STEADY)) return readyAt;
    return Math.max(this.#fullAt - this.#burstMs - AHEAD * this.#intervalMs, this.#windowAt(this.#perMinute));
  }

  /** The earliest start of a connection with this many ahead of it. */
  reachedAt(behind: number, now: number): number {
    const first = Math.max(now, this.readyAt());
    return Math.max(first, Math.max(this.#fullAt, first) - this.#burstMs + behind * this.#intervalMs);
  }

  start(start: Start): void {
    this.#fullAt = Math.max(this.#fullAt, start.atMs) + this.#intervalMs;
    this.#starts.push(start);
    if (this.#starts.length > Math.min(this.#perMinute, STARTS_MAX)) this.#starts.shift();
  }

  /** How many each account started in the last minute, apart from those that found no room. */
  startsByAccount(now: number): ReadonlyMap<Account, number> {
    const counts = new Map<Account, number>();
    for (const { account, state } of this.#lastMinute(now))
      if (state !== 'turned_away') counts.set(account, (counts.get(account) ?? 0) + 1);
    return counts;
  }

  /**
   * Whether a server's deferral may be due to our number of connections: it accepted others of ours just before (or
   * served them, for a connection it had accepted too), or was crowded recently.
   */
  isCrowded(at: 'opening' | 'mail' | 'rcpt', now: number): boolean {
    const others = this.#lastMinute(now).filter(({ state }) =>
      at === 'opening' ? state === 'accepted' || state === 'served' : state === 'served',
    );
    return others.length >= CROWD_MIN || !this.#backOff.isForgettable(now);
  }

  /** The server has had enough for now: nothing starts for a while, then one by one. */
  backOff(now: number): void {
    if (this.#backOff.begin('asked_too_much', now)) this.#fullAt = this.#backOff.until + this.#burstMs;
  }

  /** The server served us. */
  ease(): void {
    this.#backOff.ease();
  }

  /** A new one would allow the same. */
  isForgettable(now: number): boolean {
    return this.#fullAt <= now && this.#lastMinute(now).length === 0 && this.#backOff.isForgettable(now);
  }

  /** When fewer than `max` have started within a minute, and no back-off is active. */
  #windowAt(max: number): number {
    const first = this.#starts[this.#starts.length - max];
    return Math.max(first === undefined ? 0 : first.atMs + MINUTE_MS, this.#backOff.until);
  }

  #lastMinute(now: number): readonly Start[] {
    return this.#starts.filter(({ atMs }) => atMs + MINUTE_MS > now);
  }
}
