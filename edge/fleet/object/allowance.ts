/** What a host may send at once: far more than it repeats after its link broke. */
const BURST = 16_384;
/** Far more than a host finds out in a second. */
const PER_SECOND = 4_096;
/** More than the evidence of one address with its MX takes. */
const UNIT_BYTES = 4_096;

/** How much a host may still send. Kept per enrolment, so that a new link brings no new allowance. */
export class Allowance {
  readonly #left = new Map<string, { readonly units: number; readonly at: number }>();

  /**
   * Deducts one frame.
   * @param length of its text
   * @returns false if too little is left
   */
  spend(host: string, length: number, now: number): boolean {
    const units = this.#leftOf(host, now) - 1 - Math.floor(length / UNIT_BYTES);
    this.#left.set(host, { units: Math.max(0, units), at: now });
    return units >= 0;
  }

  /** Forgets hosts with a full allowance. */
  tidy(now: number): void {
    for (const host of this.#left.keys()) if (this.#leftOf(host, now) === BURST) this.#left.delete(host);
  }

  #leftOf(host: string, now: number): number {
    const { units, at } = this.#left.get(host) ?? { units: BURST, at: now };
    return Math.min(BURST, units + ((now - at) / 1_000) * PER_SECOND);
  }
}
