import type { RestCause } from '../meaning/complaint.ts';

const HOUR_MS = 3_600_000;

export const COOL_DOWNS = {
  asked_too_much: { firstMs: 30_000, longestMs: 900_000 },
  blocked: { firstMs: HOUR_MS, longestMs: 4 * HOUR_MS },
} as const satisfies Record<RestCause, { firstMs: number; longestMs: number }>;

/** Exponential back-off: each cool-down is twice as long as the one before, and each success halves the next. */
export class CoolDown {
  #until = 0;
  #lastMs = 0;

  /** When it ends, in the clock's milliseconds; in the past if there is none. */
  get until(): number {
    return this.#until;
  }

  /** Starts one; during one only `blocked` counts: sessions already open say nothing new. @returns whether it did */
  begin(cause: RestCause, now: number): boolean {
    const { firstMs, longestMs } = COOL_DOWNS[cause];
    if (this.#until > now && (cause !== 'blocked' || this.#lastMs >= firstMs)) return false;
    this.#lastMs = Math.min(longestMs, Math.max(firstMs, this.#lastMs * 2));
    this.#until = now + this.#lastMs;
    return true;
  }

  /** The server served us: the next cool-down is half as long. */
  ease(): void {
    this.#lastMs = this.#lastMs / 2 < COOL_DOWNS.asked_too_much.firstMs ? 0 : this.#lastMs / 2;
  }

  /** A new one would behave the same: it is over, and nothing has happened for as long again. */
  isForgettable(now: number): boolean {
    return this.#until + this.#lastMs <= now;
  }
}
