import type { Permit } from '../limits/permit.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Held } from './held-session.ts';

/** Idle sessions of one account, and of all accounts together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

export type Owner = {
  /** Ends a session that is idle no more; `destroy`: its server has sent something, or closed it. */
  endIdle(held: Held, fate: 'quit' | 'destroy'): void;
};

type Idle = { readonly account: Account; readonly held: Held; readonly owner: Owner; readonly disarm: () => void };

/**
 * The idle sessions of all accounts. Each ends when its time is over, at the first byte that its server sends, when its
 * slot is wanted, and as the longest idle one when there are too many.
 */
export class IdleSessions {
  readonly #clock: Clock;
  /** The longest idle first. An array: a set keeps deleted entries, and closed sockets, alive in its old table. */
  readonly #idle: Idle[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#idle.length;
  }

  keep(account: Account, held: Held, forMs: number, owner: Owner): void {
    const end = (): void => this.end(held);
    this.#idle.push({ account, held, owner, disarm: this.#clock.after(forMs, end) });
    held.session.wire.rest(() => this.end(held, 'destroy'));
    const own = this.#idle.reduce((count, one) => (one.account === account ? count + 1 : count), 0);
    const isTooMany = own > IDLE_OF_ACCOUNT_MAX;
    const longest = isTooMany ? this.#idle.find((one) => one.account === account) : this.#idle[0];
    if (longest !== undefined && (isTooMany || this.#idle.length > IDLE_MAX)) this.end(longest.held);
  }

  /** Ends one that was kept; nothing if it is not any more. */
  end(held: Held, fate: 'quit' | 'destroy' = 'quit'): void {
    this.take(held)?.owner.endIdle(held, fate);
  }

  /** Ends the longest idle one that is in the way of a waiting connection. */
  makeRoom(isInTheWay: (permit: Permit) => boolean): void {
    const idle = this.#idle.find(({ held }) => isInTheWay(held.permit));
    if (idle !== undefined) this.end(idle.held);
  }

  endAll(): void {
    for (const { held } of this.#idle.slice()) this.end(held);
  }

  /** It is used again, or ends. @returns nothing if it was not idle */
  take(held: Held): Idle | undefined {
    const at = this.#idle.findIndex((one) => one.held === held);
    if (at < 0) return undefined;
    const [idle] = this.#idle.splice(at, 1);
    idle?.disarm();
    return idle;
  }
}
