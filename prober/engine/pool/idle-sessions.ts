import type { Account, Clock } from '../ports/ports.ts';
import type { Held } from './held-session.ts';

/** Idle sessions of one account, and of all together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

type Idle = {
  readonly account: Account;
  readonly held: Held;
  readonly end: (broken: boolean) => void;
  readonly disarm: () => void;
};

/**
 * The sessions that nobody uses, of all accounts. Each ends after its time; at the first byte that its server sends; when
 * somebody waits for its place; and as the longest idle when there are too many.
 */
export class IdleSessions {
  readonly #clock: Clock;
  /** The longest idle first. A list: what a set has dropped lives on with its old table, and closed sockets with it. */
  readonly #idle: Idle[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** @param end ends it, once it is not kept any more; `broken`: its server has sent something, or closed it */
  keep(account: Account, held: Held, forMs: number, end: (broken: boolean) => void): void {
    const drop = (broken = false): void => {
      if (!this.take(held)) return;
      end(broken);
    };
    this.#idle.push({ account, held, end: drop, disarm: this.#clock.after(forMs, drop) });
    held.permit.idle(drop);
    held.session.wire.rest(() => drop(true));
    const own = this.#idle.reduce((count, one) => (one.account === account ? count + 1 : count), 0);
    if (own > IDLE_OF_ACCOUNT_MAX) this.#idle.find((one) => one.account === account)?.end(false);
    else if (this.#idle.length > IDLE_MAX) this.#idle[0]?.end(false);
  }

  /** It is used again. @returns whether it was idle */
  take(held: Held): boolean {
    const at = this.#idle.findIndex((one) => one.held === held);
    if (at < 0) return false;
    for (const { disarm } of this.#idle.splice(at, 1)) disarm();
    held.permit.busy();
    return true;
  }

  /** Ends one that was kept. */
  end(held: Held): void {
    this.#idle.find((one) => one.held === held)?.end(false);
  }

  endAll(): void {
    for (const { end } of this.#idle.slice()) end(false);
  }
}
