import type { Clock } from '../base/clock.ts';

/** A clock that stands until it is moved: what falls due meanwhile runs in its order. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #wallMs = 1_700_000_000_000;
  readonly #timers = new Map<() => void, number>();

  readonly now = (): number => this.#nowMs;
  readonly wallMs = (): number => this.#wallMs;
  readonly random = (): number => 0.5;

  readonly after = (delayMs: number, run: () => void): (() => void) => {
    const timer = (): void => run();
    this.#timers.set(timer, this.#nowMs + delayMs);
    return () => this.#timers.delete(timer);
  };

  advance(ms: number): void {
    this.sleep(ms);
    this.#nowMs += ms;
    const due = [...this.#timers]
      .filter(([, atMs]) => atMs <= this.#nowMs)
      .toSorted(([, one], [, other]) => one - other);
    for (const [timer] of due) if (this.#timers.delete(timer)) timer();
  }

  /** A machine that is asleep: only the clock on the wall goes on. */
  sleep(ms: number): void {
    this.#wallMs += ms;
  }
}
