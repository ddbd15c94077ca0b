import type { Clock } from '../../engine/ports/ports.ts';

/** Does something over and over for all who ask: each gets a turn that began after it asked. */
export class Rounds<T> {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #run: () => Promise<T>;
  #begunAt = Number.NEGATIVE_INFINITY;
  #running: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  /** @param gapMs from the beginning of one turn to that of the next, at least; no two go on at once */
  constructor(clock: Clock, gapMs: number, run: () => Promise<T>) {
    this.#clock = clock;
    this.#gapMs = gapMs;
    this.#run = run;
  }

  /** What the next turn gives: one serves all who ask before it begins. */
  next(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    // One that went wrong has told those who asked for it.
    await this.#running?.catch(() => {});
    const waitMs = this.#begunAt + this.#gapMs - this.#clock.now();
    if (waitMs > 0) await new Promise<void>((resolve) => this.#clock.after(waitMs, resolve));
    this.#begunAt = this.#clock.now();
    // Who asks from here on asks after it began.
    this.#next = null;
    this.#running = this.#run();
    return this.#running;
  }
}
