import { type AccountClass, FREE_PART } from '../../../schema/shares.ts';
import type { Account } from '../ports/ports.ts';

/** Idle sessions of one account, and of all together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

/** Ends one. */
type End = () => void;
type Shelf = { readonly account: Account; readonly accountClass: AccountClass; readonly idle: Set<End> };

/**
 * The idle sessions of all accounts. Of too many the one that has been idle longest ends, of the account that has the most;
 * free accounts give first while they have more than their part.
 */
export class IdleSessions {
  readonly #shelves = new Map<string, Shelf>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A session is idle from now on. @param end ends it; it is not kept any more then. */
  add(account: Account, accountClass: AccountClass, end: End): void {
    const key = `${account} ${accountClass}`;
    const shelf: Shelf = this.#shelves.get(key) ?? { account, accountClass, idle: new Set() };
    this.#shelves.set(key, shelf);
    shelf.idle.add(end);
    this.#size += 1;
    if (shelf.idle.size > IDLE_OF_ACCOUNT_MAX) endFirst(shelf);
    else if (this.#size > IDLE_MAX) this.#endOne();
  }

  /** It serves again, or has ended. */
  remove(account: Account, accountClass: AccountClass, end: End): void {
    const key = `${account} ${accountClass}`;
    const shelf = this.#shelves.get(key);
    if (shelf?.idle.delete(end) !== true) return;
    this.#size -= 1;
    if (shelf.idle.size === 0) this.#shelves.delete(key);
  }

  endAll(): void {
    for (const { idle } of this.#shelves.values()) for (const end of idle) end();
  }

  /** One look at each account that has an idle session. */
  #endOne(): void {
    let ofFree = 0;
    let most: Shelf | null = null;
    let mostOfFree: Shelf | null = null;
    for (const shelf of this.#shelves.values()) {
      if (shelf.idle.size > (most?.idle.size ?? 0)) most = shelf;
      if (shelf.accountClass !== 'free') continue;
      ofFree += shelf.idle.size;
      if (shelf.idle.size > (mostOfFree?.idle.size ?? 0)) mostOfFree = shelf;
    }
    const giver = ofFree > IDLE_MAX * FREE_PART ? mostOfFree : most;
    if (giver !== null) endFirst(giver);
  }
}

function endFirst({ idle }: Shelf): void {
  const [first] = idle;
  first?.();
}
