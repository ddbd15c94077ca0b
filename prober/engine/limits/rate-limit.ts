const MINUTE_MS = 60_000;
/** This share of a minute's connections may start at once. */
const BURST = 0.3;
/** The rest start at this share of the allowed rate, so that some of the minute is left for a newcomer. */
export const STEADY = 0.85;
/** Sums of intervals are not exact: a start that is early by no more than this is on time. */
const ROUNDING_MS = 0.01;

/** Connections started per minute: a token bucket, and a window of one minute that is never exceeded. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #intervalMs: number;
  readonly #slackMs: number;
  #fullAt = 0;
  #lastAt = -Infinity;
  /** The latest starts, as a ring once there are as many as a minute allows; the oldest is at `#oldest`. */
  readonly #starts: number[] = [];
  #oldest = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#intervalMs = Math.min(MINUTE_MS, MINUTE_MS / (perMinute * STEADY));
    const burst = perMinute === Infinity ? 1 : Math.max(1, Math.floor(perMinute * BURST));
    this.#slackMs = (burst - 1) * this.#intervalMs + ROUNDING_MS;
  }

  /** When the bucket is full again; of two limits the one with the earlier time was used less. */
  get fullAt(): number {
    return this.#fullAt;
  }

  /** When the next connection may start. */
  get readyAt(): number {
    const windowEndsAt = this.#starts.length < this.#perMinute ? 0 : (this.#starts[this.#oldest] ?? 0) + MINUTE_MS;
    return Math.max(this.#fullAt - this.#slackMs, windowEndsAt);
  }

  /** A new one would allow the same. */
  isForgettable(now: number): boolean {
    return this.#fullAt <= now && this.#lastAt + MINUTE_MS <= now;
  }

  countStart(now: number): void {
    this.#fullAt = Math.max(this.#fullAt, now) + this.#intervalMs;
    this.#lastAt = now;
    if (this.#perMinute === Infinity) return;
    this.#starts[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.#perMinute;
  }
}
