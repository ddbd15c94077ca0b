/** Something that may end early. An `AbortSignal` is one, and costs ten times a `Cancel`. */
export type Ends = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', run: () => void): void;
  removeEventListener(type: 'abort', run: () => void): void;
};

/** Over after this time, or as soon as the signal fires. */
export function pause(
  clock: { after(ms: number, run: () => void): () => void },
  forMs: number,
  signal: Ends,
): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(forMs, wake);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake);
  });
}

/** Ends waits, at any moment: a waiter registers what to do then, and removes it once the wait is over. */
export class Cancel implements Ends {
  /** Replaced when empty: mostly there is just one, and a push to an empty array allocates room for 17. */
  #runs: (() => void)[] = [];
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

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
