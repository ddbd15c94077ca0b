/** Accounts that have a number at once; of more the one that has asked for nothing for longest loses its own. */
export const ACCOUNTS_MAX = 10_000;
/** An account that is idle for this long gets a new number next time. */
const IDLE_MS = 3_600_000;
const NUMBERS = 2 ** 32;

/**
 * Gives each account a number that means nothing outside this object: hosts share out what is scarce by it, and learn
 * nothing else of whose addresses they probe. Numbers begin anywhere, follow one another and are not used again.
 */
export class AccountNumbers {
  readonly #known = new Map<string, { readonly number: number; usedAt: number }>();
  #next: number;

  /** @param random uniform in [0, 1) */
  constructor(random: number) {
    this.#next = Math.floor(random * NUMBERS);
  }

  /** Accounts that have a number. */
  get size(): number {
    return this.#known.size;
  }

  /** @param now milliseconds, for the memory's own age */
  of(accountId: string, now: number): number {
    const entry = this.#known.get(accountId) ?? { number: this.#newNumber(), usedAt: now };
    entry.usedAt = now;
    // The latest used is last.
    this.#known.delete(accountId);
    this.#known.set(accountId, entry);
    for (const [id, { usedAt }] of this.#known) {
      if (this.#known.size <= ACCOUNTS_MAX && usedAt + IDLE_MS > now) break;
      this.#known.delete(id);
    }
    return entry.number;
  }

  #newNumber(): number {
    const number = this.#next;
    this.#next = (this.#next + 1) % NUMBERS;
    return number;
  }
}
