/** What a host may send at once beyond news: far more than it says again after its link broke. */
const BURST = 8_192;
/** Running jobs say so every 5 s, and a host has at most 1,000. */
const PER_SECOND = 512;
const UNIT_BYTES = 4_096;

/**
 * How much a host may still send that tells nothing new: frames of unknown forms or batches, repetitions, signs of life.
 * Kept by enrolment, so that a new link brings no new allowance.
 */
export class Allowance {
  readonly #left = new Map<string, { units: number; at: number }>();

  /**
   * Takes one frame off.
   * @param length of its text
   * @returns false if there was too little left
   */
  spend(host: string, length: number, now: number): boolean {
    const units = this.#leftOf(host, now) - 1 - Math.floor(length / UNIT_BYTES);
    this.#left.set(host, { units: Math.max(0, units), at: now });
    return units >= 0;
  }

  /** Forgets hosts that have all of it. */
  tidy(now: number): void {
    for (const host of this.#left.keys()) if (this.#leftOf(host, now) === BURST) this.#left.delete(host);
  }

  #leftOf(host: string, now: number): number {
    const { units, at } = this.#left.get(host) ?? { units: BURST, at: now };
    return Math.min(BURST, units + ((now - at) / 1_000) * PER_SECOND);
  }
}
