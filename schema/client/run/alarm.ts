import type { Clock } from '../base/clock.ts';

/** Longer is more than a timer of 32 bits can wait. */
const LONGEST_MS = 86_400_000;

/** One timer at a time: a caller that wants to be woken earlier moves it. It may wake too early and never wakes too late. */
export class Alarm {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #atMs = Infinity;
  #callOff: () => void = () => {};

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  set(atMs: number): void {
    if (atMs >= this.#atMs) return;
    this.clear();
    this.#atMs = atMs;
    const delayMs = Math.min(LONGEST_MS, Math.max(0, atMs - this.#clock.now()));
    this.#callOff = this.#clock.after(delayMs, () => {
      this.#atMs = Infinity;
      this.#wake();
    });
  }

  clear(): void {
    this.#callOff();
    this.#atMs = Infinity;
  }
}
