const MINUTE_MS = 60_000;
/** Of the starts that a minute may see so many may come at once. */
const AT_ONCE = 0.3;
/** The others come at this share of what a minute may see, so that whoever comes last finds some left. */
export const STEADY = 0.85;
/** Sums of spacings are not exact: a start that is early by no more than this is on time. */
const ROUNDING_MS = 0.01;

/** Spaces starts by a token bucket, and lets no minute see more than so many. */
export class Spacing {
  readonly #perMinute: number;
  readonly #spacingMs: number;
  readonly #slackMs: number;
  #dueAt = 0;
  #lastAt = -Infinity;
  /** When the latest starts were; once they are as many as a minute may see, the oldest stands at `#oldest`. */
  readonly #starts: number[] = [];
  #oldest = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#spacingMs = Math.min(MINUTE_MS, MINUTE_MS / (perMinute * STEADY));
    const burst = perMinute === Infinity ? 1 : Math.max(1, Math.floor(perMinute * AT_ONCE));
    this.#slackMs = (burst - 1) * this.#spacingMs + ROUNDING_MS;
  }

  /** When the bucket is full again; of two the one with the earlier time was used less. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** When the next may start. */
  get readyAt(): number {
    const minuteEndsAt = this.#starts.length < this.#perMinute ? 0 : (this.#starts[this.#oldest] ?? 0) + MINUTE_MS;
    return Math.max(this.#dueAt - this.#slackMs, minuteEndsAt);
  }

  /** Nothing would be different if it were new. */
  isForgettable(now: number): boolean {
    return this.#dueAt <= now && this.#lastAt + MINUTE_MS <= now;
  }

  start(now: number): void {
    this.#dueAt = Math.max(this.#dueAt, now) + this.#spacingMs;
    this.#lastAt = now;
    if (this.#perMinute === Infinity) return;
    this.#starts[this.#oldest] = now;
    this.#oldest = (this.#oldest + 1) % this.#perMinute;
  }
}
