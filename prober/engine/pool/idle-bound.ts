import { giverOf } from '../limits/shares/giver.ts';
import type { Account } from '../ports/ports.ts';

/** Idle sessions of one account, and of all together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

/** Ends one. */
type End = () => void;
/**
 * The longest idle first. A list: what a set has dropped lives on with its old table until a full collection of garbage,
 * and a closed session's sockets with it.
 */
type Shelf = { readonly idle: End[] };

/**
 * How many idle sessions all accounts have. Of too many the one that has been idle longest ends, of the account that gives
 * (`giverOf`).
 */
export class IdleBound {
  readonly #shelves = new Map<Account, Shelf>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A session is idle from now on. @param end ends it; it is not kept any more then. */
  add(account: Account, end: End): void {
    const shelf: Shelf = this.#shelves.get(account) ?? { idle: [] };
    this.#shelves.set(account, shelf);
    shelf.idle.push(end);
    this.#size += 1;
    if (shelf.idle.length > IDLE_OF_ACCOUNT_MAX) shelf.idle[0]?.();
    else if (this.#size > IDLE_MAX) giverOf(this.#shelves.values(), (one) => one.idle.length)?.idle[0]?.();
  }

  /** It serves again, or has ended. */
  remove(account: Account, end: End): void {
    const idle = this.#shelves.get(account)?.idle ?? [];
    const at = idle.indexOf(end);
    if (at < 0) return;
    idle.splice(at, 1);
    this.#size -= 1;
    if (idle.length === 0) this.#shelves.delete(account);
  }

  endAll(): void {
    for (const { idle } of this.#shelves.values()) for (const end of idle.slice()) end();
  }
}
