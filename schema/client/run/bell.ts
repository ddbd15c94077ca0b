/** Wakes all who wait for something to have changed; each looks for itself whether that concerns it. */
export class Bell {
  #wake: (() => void) | null = null;
  #rung: Promise<void> | null = null;

  /** Resolves when it rings next. */
  rung(): Promise<void> {
    this.#rung ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#rung;
  }

  ring(): void {
    const wake = this.#wake;
    this.#wake = null;
    this.#rung = null;
    wake?.();
  }
}
