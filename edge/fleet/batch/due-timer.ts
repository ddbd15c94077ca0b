import type { Clock } from './services.ts';

/** One timer for several due times: it fires at the earliest. */
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
   * @param dues the clock's milliseconds; past ones and null are ignored
   * @param now the time for which `dues` was computed: one that falls due in between fires at once
   */
  set(dues: readonly (number | null)[], now: number): void {
    const next = Math.min(...dues.flatMap((due) => (due !== null && due > now ? [due] : [])));
    // A timer that fires early only checks; resetting it for every frame costs more.
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
