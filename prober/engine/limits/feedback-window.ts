/** After this long without a new refusal, a server is tried with one more connection. */
const WIDEN_AFTER_MS = 30_000;
/** Refused within its window, a server takes none for a while: twice as long each time. */
const REST_MS = { first: 1_000, longest: 30_000 } as const;

/**
 * How many connections at once a server takes from us, as it shows itself: a refusal beside others narrows the window to
 * those, and time widens it again. Where even the narrow window is refused, it counts otherwise than by those open, or
 * has not noticed that one ended: then nothing starts for a while. The same where it has had enough of us for now.
 */
export class FeedbackWindow {
  readonly #widest: number;
  #size: number;
  #narrowedAt = -Infinity;
  #restMs = 0;
  #restsUntil = 0;

  constructor(widest: number) {
    this.#widest = widest;
    this.#size = widest;
  }

  size(now: number): number {
    if (this.#size === this.#widest) return this.#widest;
    const sinceMs = Math.max(0, now - this.#narrowedAt);
    return Math.min(this.#widest, this.#size + Math.floor(sinceMs / WIDEN_AFTER_MS));
  }

  /** The server has refused some lately: it takes fewer than we would open. */
  isNarrow(now: number): boolean {
    return this.size(now) < this.#widest;
  }

  /** Nothing starts before then. */
  get restsUntil(): number {
    return this.#restsUntil;
  }

  /** When it becomes wider by itself; Infinity: it is as wide as it gets. */
  widensAt(now: number): number {
    const size = this.size(now);
    return size === this.#widest ? Infinity : this.#narrowedAt + (size + 1 - this.#size) * WIDEN_AFTER_MS;
  }

  /**
   * The server refused a connection beside `others`.
   * @param startedAt when that was begun
   * @param hadEnough for now, of however many
   */
  narrow(others: number, startedAt: number, now: number, hadEnough: boolean): void {
    const isAgain = this.size(now) < this.#widest && startedAt > this.#narrowedAt;
    if (hadEnough) this.#restMs = REST_MS.longest;
    else if (isAgain) this.#restMs = Math.min(REST_MS.longest, Math.max(REST_MS.first, this.#restMs * 2));
    if (hadEnough || isAgain) this.#restsUntil = now + this.#restMs;
    const left = hadEnough ? 1 : Math.max(1, others);
    if (!hadEnough && left >= this.size(now)) return;
    this.#size = left;
    this.#narrowedAt = hadEnough ? this.#restsUntil : now;
  }

  /** The server accepted a connection. */
  accept(): void {
    this.#restMs = 0;
  }
}
