/** After this long without a new refusal a server that bore fewer connections is tried with one more. */
export const RAISE_AFTER_MS = 30_000;

/** Connections at once: the configured number, or what a server has shown lately that it bears. At least one. */
export class ConcurrencyLimit {
  readonly #configured: number;
  #lowered: number;
  #loweredAt = 0;

  constructor(configured: number) {
    this.#configured = configured;
    this.#lowered = configured;
  }

  allowedAt(now: number): number {
    return Math.min(this.#configured, this.#lowered + Math.floor((now - this.#loweredAt) / RAISE_AFTER_MS));
  }

  /** The configured number holds: what was learnt has worn off. */
  isUnreduced(now: number): boolean {
    return this.allowedAt(now) === this.#configured;
  }

  /** When one more is allowed, in the clock's milliseconds; Infinity: never. */
  raisesAt(now: number): number {
    if (this.isUnreduced(now)) return Infinity;
    return this.#loweredAt + (this.allowedAt(now) + 1 - this.#lowered) * RAISE_AFTER_MS;
  }

  /** The server bears no more than `to`. */
  lower(to: number, now: number): void {
    if (to >= this.allowedAt(now)) return;
    this.#lowered = Math.max(1, to);
    this.#loweredAt = now;
  }
}
