import type { Clock } from './services.ts';

/** One timer for all that may fall due: it fires at the soonest. */
export class DueTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #cancel: () => void = () => {};
  #firesAt = Infinity;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /**
   * @param dues the clock's milliseconds; those that have passed, and null, are nothing to wait for
   * @param now when that was looked at: what falls due in between fires at once
   */
  set(dues: readonly (number | null)[], now: number): void {
    const next = Math.min(...dues.flatMap((due) => (due !== null && due > now ? [due] : [])));
    // A timer that comes too early only looks; to set another for every frame costs more.
    if (next >= this.#firesAt) return;
    this.#cancel();
    this.#firesAt = next;
    this.#cancel = this.#clock.after(Math.max(0, next - this.#clock.now()), () => {
      this.#firesAt = Infinity;
      this.#onDue();
    });
  }

  cancel(): void {
    this.#cancel();
  }
}
