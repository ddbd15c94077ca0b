import type { Lane } from './ports/lane.ts';

/**
 * Limits how many domains of a batch are probed at once. Those that wait for a limit, or for a session, need no lane
 * meanwhile.
 */
export class Lanes {
  #free: number;
  readonly #retries = new Set<() => void>();
  readonly #onFree: () => void;

  /** @param onFree a lane is free that no waiting domain has taken back */
  constructor(count: number, onFree: () => void) {
    this.#free = count;
    this.#onFree = onFree;
  }

  get isFree(): boolean {
    return this.#free > 0;
  }

  /** Takes one for a domain; `leave` gives it back for good. */
  take(): Lane {
    this.#free -= 1;
    let isHeld = true;
    return {
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#free += 1;
        this.#offer();
      },
      enter: () => {
        if (isHeld) return;
        isHeld = true;
        this.#free -= 1;
      },
      isReady: (retry) => {
        if (isHeld || this.isFree) return true;
        this.#retries.add(retry);
        return false;
      },
    };
  }

  #offer(): void {
    for (const retry of this.#retries) {
      if (!this.isFree) return;
      this.#retries.delete(retry);
      retry();
    }
    if (this.isFree) this.#onFree();
  }
}
