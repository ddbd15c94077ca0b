import type { Asker, Release, Permit, FairSemaphore } from './fair-semaphore.ts';

/**
 * Look-ups that begin between two looks at the sockets. Beginning and ending one takes some 80 µs: with more, answers
 * that have arrived would wait for questions that have not gone out, and a crowd would seem to have a slow server.
 */
const STARTS_MAX = 6;

/** A semaphore whose permits are given a few at a time, with a look at the sockets in between. */
export class PacedStarts<Account> {
  readonly #semaphore: Pick<FairSemaphore<Account>, 'acquire'>;
  readonly #waiting: Array<() => void> = [];
  #started = 0;
  #armed = false;

  constructor(semaphore: Pick<FairSemaphore<Account>, 'acquire'>) {
    this.#semaphore = semaphore;
  }

  /** Waits for a permit, and then for its start. @param signal ends the waiting for a permit; see `FairSemaphore` */
  acquire(asker: Asker<Account>, signal: AbortSignal): Permit | Promise<Permit> {
    const permit = this.#semaphore.acquire(asker, signal);
    if (permit instanceof Promise) return permit.then((given) => (given === 'aborted' ? given : this.#start(given)));
    return permit === 'aborted' ? permit : this.#start(permit);
  }

  #start(release: Release): Release | Promise<Release> {
    this.#arm();
    if (this.#started < STARTS_MAX) {
      this.#started += 1;
      return release;
    }
    return new Promise((resolve) => this.#waiting.push(() => resolve(release)));
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    setImmediate(() => {
      this.#armed = false;
      const next = this.#waiting.splice(0, STARTS_MAX);
      this.#started = next.length;
      if (next.length > 0) this.#arm();
      for (const start of next) start();
    });
  }
}
