import { signal } from '@preact/signals';

/** Longer after each try that failed, up to a minute: a service that comes back is not met by all pages at once. */
const FIRST_MS = 5_000;
const MOST_MS = 60_000;

/** The waits between tries of something that the service cannot do at the moment. */
export class Patience {
  readonly isWaiting = signal(false);
  #tries = 0;
  #end: () => void = () => {};

  /** Resolves when it is time for another try: after a while, with the network, at the reader's word, or when it fires. */
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
