/** The first moments say little. */
const AFTER_MS = 2_000;
/** So long the estimate only falls, whatever single answers suggest. */
const PERIOD_MS = 30_000;
/** A shorter wait is never announced to last longer: it runs out, and then nobody knows. */
const SHORT_MS = 60_000;

/**
 * How fast a run is, and how long it will take. Between answers the estimate counts down; it grows only where a whole period
 * of answers says that the run has become slower.
 */
export class Speed {
  readonly #startedMs: number;
  #done = 0;
  #perSecond: number | null = null;
  #endMs = Infinity;
  /** The earliest end that the answers of this period suggest. */
  #bestMs = Infinity;
  #periodMs: number;

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
    this.#periodMs = nowMs;
  }

  /** Answers a second since it began; null before there is anything to go by. */
  get perSecond(): number | null {
    return this.#perSecond;
  }

  /** @param done answers of this run. @param left addresses that are being asked */
  note(nowMs: number, done: number, left: number): void {
    const tookMs = nowMs - this.#startedMs;
    if (tookMs < AFTER_MS) return;
    this.#perSecond = (done * 1_000) / tookMs;
    if (done <= this.#done) return;
    this.#done = done;
    this.#bestMs = Math.min(this.#bestMs, nowMs + (left * tookMs) / done);
    this.#endMs = Math.min(this.#endMs, this.#bestMs);
    if (nowMs - this.#periodMs < PERIOD_MS) return;
    if (this.#bestMs - nowMs >= SHORT_MS) this.#endMs = this.#bestMs;
    this.#bestMs = Infinity;
    this.#periodMs = nowMs;
  }

  /** Null while nobody can tell: nothing has come, or what is left takes longer than was to be expected. */
  leftS(nowMs: number): number | null {
    return this.#endMs === Infinity || this.#endMs <= nowMs ? null : (this.#endMs - nowMs) / 1_000;
  }
}
