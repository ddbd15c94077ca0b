import { signal } from '@preact/signals';

/** Longer after each failed try, up to a minute, so that not all pages call at once when the service is back. */
const FIRST_MS = 5_000;
const MOST_MS = 60_000;

/** The waits between tries while the service cannot verify. */
export class Patience {
  readonly isWaiting = signal(false);
  #tries = 0;
  #end: () => void = () => {};

  /** Resolves when it is time for another try: after a while, when the network returns, when the reader asks for it, or when `stop` fires. */
  async wait(stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    this.isWaiting.value = true;
    const waitMs = Math.min(MOST_MS, FIRST_MS * 2 ** this.#tries) * (0.8 + Math.random() * 0.4);
    this.#tries += 1;
    const ended = new AbortController();
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      const timer = setTimeout(resolve, waitMs);
      const options = { signal: ended.signal };
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
      addEventListener('online', () => resolve(), options);
      stop.addEventListener('abort', () => resolve(), options);
    });
    ended.abort();
    this.isWaiting.value = false;
  }

  /** Now. */
  end(): void {
    this.#end();
  }

  /** Something went well: the next wait is a short one. */
  reset(): void {
    this.#tries = 0;
  }
}
