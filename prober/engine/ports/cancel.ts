/** What may end before its time. An `AbortSignal` is one, and costs ten times a `Cancel`. */
export type Ends = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', run: () => void): void;
  removeEventListener(type: 'abort', run: () => void): void;
};

/** Ends what waits, at any moment: whoever waits says what is to be done then, and takes it back once the wait is over. */
export class Cancel implements Ends {
  /** Begun anew whenever it is empty: mostly there is one, and what is pushed to an empty list makes room for 17. */
  #runs: (() => void)[] = [];
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** @param run is run once */
  addEventListener(_type: 'abort', run: () => void): void {
    if (this.#runs.length === 0) this.#runs = [run];
    else this.#runs.push(run);
  }

  removeEventListener(_type: 'abort', run: () => void): void {
    const at = this.#runs.lastIndexOf(run);
    if (at === this.#runs.length - 1) this.#runs.pop();
    else if (at >= 0) this.#runs.splice(at, 1);
  }

  cancel(): void {
    this.#aborted = true;
    for (let run = this.#runs.shift(); run !== undefined; run = this.#runs.shift()) run();
  }
}
