/**
 * Limits how many domains of a batch, or of all batches of a caller, are probed at once: for look-ups and open
 * dialogues. Those that wait for a limit, or for a session, need no lane meanwhile.
 */
export class Lanes {
  free: number;
  /** What to do once a lane is free, for domains that need theirs again. */
  readonly retries = new Set<() => void>();
  readonly #onFree: () => void;

  /** @param onFree a lane is free that no waiting domain has taken back */
  constructor(count: number, onFree: () => void) {
    this.free = count;
    this.#onFree = onFree;
  }

  vacate(): void {
    this.free += 1;
    for (const retry of this.retries) {
      if (this.free <= 0) return;
      this.retries.delete(retry);
      retry();
    }
    if (this.free > 0) this.#onFree();
  }
}

/** A domain's, from the start. */
export class Lane {
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

  /** Even if none is free: then no other domain starts until one is. */
  enter(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#lanes.free -= 1;
  }

  /** @param retry called once it can be held, if it cannot now */
  isReady(retry: () => void): boolean {
    if (this.#isHeld || this.#lanes.free > 0) return true;
    this.#lanes.retries.add(retry);
    return false;
  }
}
