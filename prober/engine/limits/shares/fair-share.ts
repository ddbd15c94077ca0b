import { type Lack, lackOf, type SharedResource } from '../../../../schema/shares.ts';
import { AccountTurns, type Ticket } from './account-turns.ts';

/**
 * The one rule by which accounts share a resource, for those that may wait for it (`schema/shares.ts` has it for those that
 * may not). The next in turn is of the account that holds the fewest.
 *
 * A resource that is `kept` gives nobody more than `lackOf` allows, so that a newcomer mostly finds some free. Of one that
 * is `lent` an account may hold more than its share while nobody else waits: what it holds beyond is called back
 * (`recalls.ts`).
 */
export class FairShare<Key, Item> {
  readonly resource: SharedResource;
  readonly #isKept: boolean;
  readonly #turns = new AccountTurns<Key, Item>();

  constructor(resource: SharedResource, how: 'kept' | 'lent') {
    this.resource = resource;
    this.#isKept = how === 'kept';
  }

  /** Held by all accounts together. */
  get held(): number {
    return this.#turns.held;
  }

  /** Accounts that hold something or wait. */
  get accounts(): number {
    return this.#turns.accounts;
  }

  acquire(key: Key): void {
    this.#turns.acquire(key);
  }

  release(key: Key): void {
    this.#turns.release(key);
  }

  /** Queues at the end of its account's queue. */
  enqueue(key: Key, item: Item): Ticket<Key, Item> {
    return this.#turns.enqueue(key, item);
  }

  /** Leaves the queue. Call it once for each ticket. */
  dequeue(ticket: Ticket<Key, Item>): void {
    this.#turns.dequeue(ticket);
  }

  /** Leaves an account out of the turns until `resume`. */
  skip(key: Key): void {
    this.#turns.skip(key);
  }

  resume(key: Key): void {
    this.#turns.resume(key);
  }

  /** Why an account may not have one more; null: it may. @param size all there is */
  lack(key: Key, size: number): Lack | null {
    if (!this.#isKept) return this.held < size ? null : 'full';
    const own = this.#turns.heldBy(key);
    return lackOf({ size, total: this.held, own });
  }

  /** Whose turn it is once one is free; null if nobody waits. */
  head(): Ticket<Key, Item> | null {
    return this.#turns.next();
  }

  /** Whose turn it is if it may have one; if the first may not, no other may. @param size all there is */
  next(size: number): Ticket<Key, Item> | null {
    const first = this.#turns.next();
    return first === null || !this.#isKept || this.lack(first.account.key, size) === null ? first : null;
  }

  /** By how much an account holds more than the one whose turn it is: from two on it keeps from it what is not its own. */
  excess(key: Key): number {
    const head = this.head()?.account;
    return head === undefined || head.key === key ? 0 : this.#turns.heldBy(key) - head.held;
  }
}
