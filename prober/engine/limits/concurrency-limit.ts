/** A server that bore no more at once is tried with one more after so long. */
export const WIDER_AFTER_MS = 30_000;

/** How many at once: as many as there may be, or as a server bears, for all that could be seen lately. One at least. */
export class Bound {
  readonly #most: number;
  #learnt: number;
  #learntAt = 0;

  constructor(most: number) {
    this.#most = most;
    this.#learnt = most;
  }

  at(now: number): number {
    return Math.min(this.#most, this.#learnt + Math.floor((now - this.#learntAt) / WIDER_AFTER_MS));
  }

  /** It would be the same if nothing had been learnt. */
  isWhole(now: number): boolean {
    return this.at(now) === this.#most;
  }

  /** When there may be one more than so many, in the clock's milliseconds; Infinity: never. */
  exceeds(held: number): number {
    if (held < this.#learnt) return 0;
    return held >= this.#most ? Infinity : this.#learntAt + (held + 1 - this.#learnt) * WIDER_AFTER_MS;
  }

  /** No more than so many are borne. */
  narrow(to: number, now: number): void {
    if (to >= this.at(now)) return;
    this.#learnt = Math.max(1, to);
    this.#learntAt = now;
  }
}
