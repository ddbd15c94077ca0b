import type { FleetWorld } from '../trust/world.ts';

/** One timer for all that may fall due: it rings at the soonest. */
export class Alarm {
  readonly #world: Pick<FleetWorld, 'now' | 'after'>;
  readonly #onTime: () => void;
  #cancelTimer: () => void = () => {};
  #ringsAt = Infinity;

  constructor(world: Pick<FleetWorld, 'now' | 'after'>, onTime: () => void) {
    this.#world = world;
    this.#onTime = onTime;
  }

  /**
   * @param dues the world's milliseconds; those that have passed, and null, are nothing to wait for
   * @param now when that was looked at: what falls due in between rings at once
   */
  set(dues: readonly (number | null)[], now: number): void {
    const next = Math.min(...dues.flatMap((due) => (due !== null && due > now ? [due] : [])));
    // A timer that comes too early only looks; to set another for every frame costs more.
    if (next >= this.#ringsAt) return;
    this.#cancelTimer();
    this.#ringsAt = next;
    this.#cancelTimer = this.#world.after(Math.max(0, next - this.#world.now()), () => {
      this.#ringsAt = Infinity;
      this.#onTime();
    });
  }

  cancel(): void {
    this.#cancelTimer();
  }
}
