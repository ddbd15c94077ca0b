const MINUTE_MS = 60_000;
/** Sums of spacings are not exact: a start that is early by no more than this is on time. */
const ROUNDING_MS = 0.01;

/**
 * Spaces starts by a token bucket whose burst is as many as may be open at once, so that no minute sees more than so many.
 */
export class Spacing {
  readonly #spacingMs: number;
  readonly #slackMs: number;
  #dueAt = 0;

  constructor(atOnce: number, perMinute: number) {
    const burst = Math.max(1, Math.min(atOnce, Math.floor(perMinute / 2)));
    const steady = perMinute - burst;
    this.#spacingMs = steady > 0 ? MINUTE_MS / steady : MINUTE_MS;
    this.#slackMs = (burst - 1) * this.#spacingMs + ROUNDING_MS;
  }

  /** When the bucket is full again; of two the one with the earlier time was used less. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** When the next may start. */
  get readyAt(): number {
    return this.#dueAt - this.#slackMs;
  }

  start(now: number): void {
    this.#dueAt = Math.max(this.#dueAt, now) + this.#spacingMs;
  }
}
