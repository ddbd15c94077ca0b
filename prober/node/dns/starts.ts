import type { Release, Turn, Turns } from '../../engine/limits/fair-semaphore.ts';

/**
 * Look-ups that begin between two looks at the sockets. Beginning and ending one takes some 80 µs: with more, answers
 * that have arrived would wait for questions that have not gone out, and a crowd would seem to have a slow server.
 */
const STARTS_MAX = 6;

/** Turns whose places are handed out a few at a time, with a look at the sockets in between. */
export class PacedTurns<Account> {
  readonly #turns: Pick<Turns<Account>, 'take'>;
  readonly #waiting: Array<() => void> = [];
  #started = 0;
  #armed = false;

  constructor(turns: Pick<Turns<Account>, 'take'>) {
    this.#turns = turns;
  }

  /** Waits for a place, and then for its start. @param signal ends the waiting for a place; see `Turns` */
  take(account: Account, signal: AbortSignal): Turn | Promise<Turn> {
    const turn = this.#turns.take(account, signal);
    if (turn instanceof Promise) return turn.then((given) => (given === 'aborted' ? given : this.#start(given)));
    return turn === 'aborted' ? turn : this.#start(turn);
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
