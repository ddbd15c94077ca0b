import type { Account } from '../../ports/ports.ts';
import type { FairShare } from './fair-share.ts';
import { SLOW_MS, type Tenure } from './tenure.ts';

/** Not all connections are looked through each time that one of them ends: there may be thousands. */
const LOOK_EVERY_MS = 50;

/**
 * Calls back connections of one limit while somebody waits for a place: first one that nobody uses, the longest idle; else what
 * an account holds beyond its share while another, which holds fewer, waits: a connection that helps, or the one that has
 * waited longest for its server, once that is slow or somebody has waited as long for the place. One at a time: once it is
 * gone, it is looked again.
 */
export class Recalls {
  readonly #share: FairShare<Account, unknown>;
  readonly #tenures = new Set<Tenure>();
  /** Nobody uses these, the longest first. */
  readonly #idle = new Set<Tenure>();
  /** Ended for somebody who waits, and not given back yet. */
  #recalled: Tenure | null = null;
  /** Since when somebody waits for what another account holds beyond its share. */
  #owesSince: number | null = null;
  #lookedAt = -Infinity;

  constructor(share: FairShare<Account, unknown>) {
    this.#share = share;
  }

  add(tenure: Tenure): void {
    this.#tenures.add(tenure);
  }

  remove(tenure: Tenure): void {
    this.#tenures.delete(tenure);
    this.#idle.delete(tenure);
    if (this.#recalled === tenure) this.#recalled = null;
  }

  /** It has become idle, or is used again. */
  note(tenure: Tenure): void {
    if (tenure.isIdle) this.#idle.add(tenure);
    else this.#idle.delete(tenure);
  }

  /**
   * Looks whether one is to end.
   * @param isShort somebody waits for a place that only another connection's end can give
   * @param size all places; as long as one is free none has to end
   * @returns when it is worth looking again, in the clock's milliseconds; Infinity: not before a connection begins or ends
   */
  look(isShort: boolean, size: number, now: number): number {
    if (this.#recalled !== null) return Infinity;
    const [longestIdle] = isShort ? this.#idle : [];
    if (longestIdle !== undefined) return this.#recall(longestIdle);
    const isFull = this.#share.held >= size;
    // A clock that was set back does not stop it.
    if (isFull && now >= this.#lookedAt && now < this.#lookedAt + LOOK_EVERY_MS) return this.#lookedAt + LOOK_EVERY_MS;
    if (isFull) this.#lookedAt = now;
    const longest = isFull ? this.#longestIdle() : null;
    if (longest === null) {
      this.#owesSince = null;
      return Infinity;
    }
    this.#owesSince ??= now;
    const inMs = SLOW_MS - Math.max(longest.idleMs, now - this.#owesSince);
    if (inMs > 0) return now + inMs;
    this.#owesSince = null;
    return this.#recall(longest.tenure);
  }

  #recall(tenure: Tenure): number {
    this.#recalled = tenure;
    this.#idle.delete(tenure);
    tenure.recall();
    return Infinity;
  }

  #longestIdle(): { readonly tenure: Tenure; readonly idleMs: number } | null {
    let longest: { readonly tenure: Tenure; readonly idleMs: number } | null = null;
    for (const tenure of this.#tenures) {
      const isBeyond = this.#share.excess(tenure.account) >= 2;
      const idleMs = isBeyond ? tenure.idleMs : null;
      if (idleMs !== null && idleMs > (longest?.idleMs ?? -1)) longest = { tenure, idleMs };
    }
    return longest;
  }
}
