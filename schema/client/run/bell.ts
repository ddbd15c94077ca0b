/** Wakes everything that waits for a change; each looks for itself whether it is concerned. */
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
