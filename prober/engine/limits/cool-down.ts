/** How a server turned us away: it was asked too much, or it has put us on a list. */
export type Grievance = 'asked_too_much' | 'blocked';

const HOUR_MS = 3_600_000;

/** The first rest and the longest, by what the server said. */
export const RESTS = {
  asked_too_much: { firstMs: 30_000, longestMs: 900_000 },
  blocked: { firstMs: HOUR_MS, longestMs: 4 * HOUR_MS },
} as const satisfies Record<Grievance, { firstMs: number; longestMs: number }>;

/** One rest after the other: each is twice as long as the one before, and each success halves the next. */
export class CoolDown {
  #until = 0;
  #lastMs = 0;

  /** When the rest is over, in the clock's milliseconds; in the past if there is none. */
  get until(): number {
    return this.#until;
  }

  /**
   * Begins a rest. During one only the news of being blocked counts: sessions that were open when it began say nothing new.
   * @returns whether a rest began
   */
  begin(grievance: Grievance, now: number): boolean {
    const { firstMs, longestMs } = RESTS[grievance];
    if (this.#until > now && (grievance !== 'blocked' || this.#lastMs >= firstMs)) return false;
    this.#lastMs = Math.min(longestMs, Math.max(firstMs, this.#lastMs * 2));
    this.#until = now + this.#lastMs;
    return true;
  }

  /** The server has served us. */
  ease(): void {
    this.#lastMs = this.#lastMs / 2 < RESTS.asked_too_much.firstMs ? 0 : this.#lastMs / 2;
  }

  /** Nothing would be different if it were new: its rest is over, and for as long again nothing happened. */
  isForgettable(now: number): boolean {
    return this.#until + this.#lastMs <= now;
  }
}
