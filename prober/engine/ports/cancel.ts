/** Ends what waits, at any moment: whoever waits says what is to be done then, and takes it back once the wait is over. */
export class Cancel {
  /** Mostly there is one at a time. */
  #runs: (() => void)[] = [];
  #isDone = false;

  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * @param run is run once, at once if it has been cancelled
   * @returns takes it back
   */
  on(run: () => void): () => void {
    if (this.#isDone) run();
    else this.#runs.push(run);
    return () => {
      const at = this.#runs.lastIndexOf(run);
      if (at >= 0) this.#runs.splice(at, 1);
    };
  }

  cancel(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    for (const run of this.#runs.splice(0)) run();
  }
}
