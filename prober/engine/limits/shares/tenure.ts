import type { Account } from '../../ports/ports.ts';
import type { Recallable } from '../../wire/time-limit.ts';

/** After this long a reply is slow: an account over its share is not waited for while it waits for one. */
export const SLOW_MS = 1_000;
/** For this long a session may go on though another account holds one fewer. */
const SLICE_MS = 2_000;

/** One connection, as the limits that it holds see it. */
export class Tenure {
  readonly account: Account;
  /** It helps another session of its domain, and loses nothing if it ends. */
  readonly helps: boolean;
  readonly #sinceMs: number;
  #connection: Recallable | null = null;
  #isRecalled = false;

  constructor(of: { readonly account: Account }, helps: boolean, now: number) {
    this.account = of.account;
    this.helps = helps;
    this.#sinceMs = now;
  }

  get isRecalled(): boolean {
    return this.#isRecalled;
  }

  /** What there is to end; null: nothing, it is about to be given back. */
  holds(connection: Recallable | null): void {
    this.#connection = connection;
    if (this.#isRecalled) connection?.recall();
  }

  /** Nobody uses it: it is whoever's place first. */
  get isIdle(): boolean {
    return this.#connection?.isIdle === true;
  }

  /** How long it has been of no use to its account, in milliseconds; Infinity: it never is; null: it cannot be ended. */
  get idleMs(): number | null {
    if (this.#connection === null) return null;
    return this.helps ? Infinity : this.#connection.waitedMs;
  }

  recall(): void {
    this.#isRecalled = true;
    this.#connection?.recall();
  }

  /** Whether it should end between two recipients. @param excess as in `FairShare.excess` */
  isDue(excess: number, now: number): boolean {
    return excess >= 2 || (excess === 1 && now - this.#sinceMs >= SLICE_MS);
  }
}
