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
    return new DomainLane(this);
  }

  /** One is in use, even if none was free. */
  occupy(): void {
    this.#free -= 1;
  }

  vacate(): void {
    this.#free += 1;
    for (const retry of this.#retries) {
      if (!this.isFree) return;
      this.#retries.delete(retry);
      retry();
    }
    if (this.isFree) this.#onFree();
  }

  callOnceFree(retry: () => void): void {
    this.#retries.add(retry);
  }
}

class DomainLane implements Lane {
  readonly #lanes: Lanes;
  #isHeld = false;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
    this.enter();
  }

  leave(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#lanes.vacate();
  }

  enter(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#lanes.occupy();
  }

  isReady(retry: () => void): boolean {
    if (this.#isHeld || this.#lanes.isFree) return true;
    this.#lanes.callOnceFree(retry);
    return false;
  }
}
