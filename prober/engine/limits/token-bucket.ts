import type { Account } from '../ports/ports.ts';

const MINUTE_MS = 60_000;
/** This share of a minute's connections may start at once. */
const BURST = 0.3;
/** The rest start at this share of the allowed rate, which leaves starts for occasional accounts. */
const STEADY = 0.85;
/** This many starts of occasional accounts may come early: later ones wait. */
const AHEAD = 3;
/** Sums of intervals are inexact: a start this little early is on time. */
const ROUNDING_MS = 0.01;

/** A connection that was started. */
export type Start = { readonly account: Account; atMs: number; wasRefused: boolean };

/** Connections started per minute: a token bucket, and a window of one minute that is never exceeded. */
export class TokenBucket {
  readonly #perMinute: number;
  readonly #intervalMs: number;
  readonly #burstMs: number;
  /** Those of the last minute, oldest first; no more than a minute allows. */
  #starts: Start[] = [];
  #fullAt = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#intervalMs = MINUTE_MS / Math.max(1, perMinute * STEADY);
    this.#burstMs = Math.max(0, Math.floor(perMinute * BURST) - 1) * this.#intervalMs + ROUNDING_MS;
  }

  /** When the bucket is full again; the earlier of two was used less. */
  get fullAt(): number {
    return this.#fullAt;
  }

  /**
   * @param behind how many others start before it
   * @param only an account with no other connection or request: if it had few, it overtakes those that queue
   */
  startsAt(now: number, behind = 0, only: Account | null = null): number {
    const at = this.#openAt(now, Math.max(1, Math.ceil(this.#perMinute * STEADY)), behind);
    if (at <= now || only === null || this.startsOf(only, now) >= this.#perMinute * (1 - STEADY)) return at;
    return this.#openAt(now, this.#perMinute, -AHEAD);
  }

  start(start: Start): void {
    this.#fullAt = Math.max(this.#fullAt, start.atMs) + this.#intervalMs;
    // Mostly there is just one, and a push to an empty array allocates room for 17.
    if (this.#starts.length === 0) this.#starts = [start];
    else this.#starts.push(start);
    if (this.#starts.length > this.#perMinute) this.#starts.shift();
  }

  /** How many an account started in the last minute, apart from those that found no room. */
  startsOf(account: Account, now: number): number {
    let count = 0;
    for (const start of this.#starts)
      if (start.account === account && !start.wasRefused && start.atMs + MINUTE_MS > now) count += 1;
    return count;
  }

  /** A new one would allow the same. */
  isForgettable(now: number): boolean {
    const last = this.#starts.at(-1);
    return this.#fullAt <= now && (last === undefined || last.atMs + MINUTE_MS <= now);
  }

  /** When fewer than `max` started within a minute, and the bucket has enough for `behind` and one more. */
  #openAt(now: number, max: number, behind: number): number {
    const first = this.#starts.at(-max);
    const windowAt = first === undefined ? now : first.atMs + MINUTE_MS;
    return Math.max(now, windowAt, Math.max(this.#fullAt, now) - this.#burstMs + behind * this.#intervalMs);
  }
}
