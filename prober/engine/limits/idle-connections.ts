import type { Tenure } from './tenure.ts';

/** The connections of one limit that nobody uses. While somebody waits for a place they end, the longest idle first, one at a time. */
export class IdleConnections {
  readonly #idle = new Set<Tenure>();
  /** Told to end, and not given back yet. */
  #ending: Tenure | null = null;

  /** A connection has become idle, or is used again. */
  note(tenure: Tenure): void {
    if (tenure.isIdle) this.#idle.add(tenure);
    else this.#idle.delete(tenure);
  }

  remove(tenure: Tenure): void {
    this.#idle.delete(tenure);
    if (this.#ending === tenure) this.#ending = null;
  }

  /** @returns whether one is about to be given back */
  endOne(): boolean {
    if (this.#ending !== null) return true;
    const [longest] = this.#idle;
    if (longest === undefined) return false;
    this.#idle.delete(longest);
    this.#ending = longest;
    longest.recall();
    return true;
  }
}
