type Trip = { readonly began: number; readonly ended: number };

/**
 * Counts the trips that one call makes to what may be an ocean away, by their order alone: trips that are under way
 * together cost the caller one crossing, trips of which one waits for the other cost two.
 */
export class Trips {
  #steps = 0;
  #ended: Trip[] = [];

  /** Makes one trip. */
  async make<T>(there: () => Promise<T>): Promise<T> {
    this.#steps += 1;
    const began = this.#steps;
    try {
      return await there();
    } finally {
      this.#steps += 1;
      this.#ended.push({ began, ended: this.#steps });
    }
  }

  /** Forgets the trips so far. */
  restart(): void {
    this.#ended = [];
  }

  /** The most of the trips that have ended of which each began after the one before it had ended. */
  inSequence(): number {
    let count = 0;
    let last = -Infinity;
    for (const { began, ended } of this.#ended.toSorted((a, b) => a.ended - b.ended)) {
      if (began < last) continue;
      count += 1;
      last = ended;
    }
    return count;
  }
}
