import type { Account, Clock } from '../ports/ports.ts';
import type { Held } from './held-session.ts';

/** Idle sessions of one account, and of all accounts together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

type Idle = {
  readonly account: Account;
  readonly held: Held;
  readonly end: (broken: boolean) => void;
  readonly disarm: () => void;
};

/**
 * The idle sessions of all accounts. Each ends when its time is over, at the first byte that its server sends, when its
 * slot is wanted, and as the longest idle one when there are too many.
 */
export class IdleSessions {
  readonly #clock: Clock;
  /**
   * The longest idle first. An array: a set keeps deleted entries alive in its old table, and closed sockets with them.
   */
  readonly #idle: Idle[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** @param end ends it, once it is no longer kept; `broken`: its server sent something, or closed it */
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
