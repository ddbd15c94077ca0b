import type { Clock } from './clock.ts';

/** One timer at a time: whoever wants to be woken earlier moves it. It may wake too early and never wakes too late. */
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
    this.#callOff = this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => {
      this.#atMs = Infinity;
      this.#wake();
    });
  }

  clear(): void {
    this.#callOff();
    this.#atMs = Infinity;
  }
}
