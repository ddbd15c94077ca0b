/** What a host may send at once beyond news: far more than it says again after its link broke. */
const BURST = 8_192;
/** Running jobs say so every 5 s, and a host has at most 1,000. */
const PER_SECOND = 512;
/** More than the evidence of one address with its MX takes. */
const UNIT_BYTES = 4_096;
/** A host that takes jobs and takes none, by turns, tells something new no more often than this. */
const STATUS_EVERY_MS = 1_000;

/** What one frame was. */
type Sent = {
  /** Of its text. */
  readonly length: number;
  /** Things that it told and that were not known: each is worth a unit. */
  readonly news: number;
};

/**
 * How much a host may still send that tells nothing new: frames of unknown forms or batches, repetitions, signs of life,
 * and bytes around what is new. Kept by enrolment, so that a new link brings no new allowance.
 */
export class Allowance {
  readonly #left = new Map<string, { readonly units: number; readonly at: number }>();
  readonly #toldAt = new Map<string, number>();

  /**
   * Takes one frame off.
   * @returns false if there was too little left
   */
  spend(host: string, { length, news }: Sent, now: number): boolean {
    const cost = Math.max(0, 1 + Math.floor(length / UNIT_BYTES) - news);
    if (cost === 0) return true;
    const units = this.#leftOf(host, now) - cost;
    this.#left.set(host, { units: Math.max(0, units), at: now });
    return units >= 0;
  }

  /** Whether a change of its status counts as something new. */
  isNews(host: string, now: number): boolean {
    if (now - (this.#toldAt.get(host) ?? -Infinity) < STATUS_EVERY_MS) return false;
    this.#toldAt.set(host, now);
    return true;
  }

  /** Forgets hosts that have all of it. */
  tidy(now: number): void {
    for (const host of this.#left.keys()) if (this.#leftOf(host, now) === BURST) this.#left.delete(host);
    for (const [host, at] of this.#toldAt) if (now - at >= STATUS_EVERY_MS) this.#toldAt.delete(host);
  }

  #leftOf(host: string, now: number): number {
    const { units, at } = this.#left.get(host) ?? { units: BURST, at: now };
    return Math.min(BURST, units + ((now - at) / 1_000) * PER_SECOND);
  }
}
