import type { Ends } from '../ports/cancel.ts';

/**
 * Domains that got a reply in a shared session which may have been meant for the domains before them. It was meant for
 * them if the session goes on to judge another domain's mailbox: then it had not had enough.
 */
export class Doubts {
  readonly #waiting: ((isBelieved: boolean) => void)[] = [];

  get isPending(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * @param signal fires when the domain's batch ends
   * @returns whether the reply counts; not if the session or the batch ends before that is known
   */
  add(signal: Ends): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isBelieved: boolean): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(isBelieved);
      };
      const giveUp = (): void => settle(false);
      signal.addEventListener('abort', giveUp);
      this.#waiting.push(settle);
    });
  }

  /** The session has judged another domain's mailbox, or has ended. */
  settle(isBelieved: boolean): void {
    for (let settle = this.#waiting.shift(); settle !== undefined; settle = this.#waiting.shift()) settle(isBelieved);
  }
}
