import { type AccountClass, FREE_PART, type Lack, lackOf, type SharedResource } from '../../../../schema/shares.ts';
import { AccountTurns, type Ticket } from './account-turns.ts';

/**
 * The one rule by which accounts share a resource, for those who may wait for it (`schema/shares.ts` has it for those who
 * may not). The next in turn is of the account that holds the fewest, and among equals the classes take turns; while an
 * account that bought waits, free accounts together get no more than their part.
 *
 * A resource that is `kept` gives nobody more than `lackOf` allows, so that a newcomer mostly finds some free. Of one that
 * is `lent` an account may hold more than its share while nobody else waits: what it holds beyond is called back
 * (`recalls.ts`).
 */
export class FairShare<Key, Item> {
  readonly resource: SharedResource;
  readonly #isKept: boolean;
  readonly #classes = { bought: new AccountTurns<Key, Item>('bought'), free: new AccountTurns<Key, Item>('free') };
  #lastServed: AccountClass = 'free';

  constructor(resource: SharedResource, how: 'kept' | 'lent') {
    this.resource = resource;
    this.#isKept = how === 'kept';
  }

  /** Held by all accounts together. */
  get held(): number {
    return this.#classes.bought.held + this.#classes.free.held;
  }

  /** Accounts that hold something or wait. */
  get accounts(): number {
    return this.#classes.bought.accounts + this.#classes.free.accounts;
  }

  heldBy(key: Key, accountClass: AccountClass): number {
    return this.#classes[accountClass].heldBy(key);
  }

  acquire(key: Key, accountClass: AccountClass): void {
    this.#lastServed = accountClass;
    this.#classes[accountClass].acquire(key);
  }

  release(key: Key, accountClass: AccountClass): void {
    this.#classes[accountClass].release(key);
  }

  /** Queues at the end of its account's queue. */
  enqueue(key: Key, accountClass: AccountClass, item: Item): Ticket<Key, Item> {
    return this.#classes[accountClass].enqueue(key, item);
  }

  /** Leaves the queue. Call it once for each ticket. */
  dequeue(ticket: Ticket<Key, Item>): void {
    this.#classes[ticket.account.accountClass].dequeue(ticket);
  }

  /** Leaves an account out of the turns until `resume`. */
  skip(key: Key, accountClass: AccountClass): void {
    this.#classes[accountClass].skip(key);
  }

  resume(key: Key, accountClass: AccountClass): void {
    this.#classes[accountClass].resume(key);
  }

  /** Why an account may not have one more; null: it may. @param size all there is */
  lack(key: Key, accountClass: AccountClass, size: number): Lack | null {
    const { bought, free } = this.#classes;
    if (!this.#isKept) return this.held < size ? null : 'full';
    const boughtIsHere = bought.held > 0 || bought.next() !== null;
    const own = this.heldBy(key, accountClass);
    return lackOf({ size, total: this.held, own, ofFree: free.held, boughtIsHere }, accountClass, 1);
  }

  /** Whose turn it is once one is free; null if nobody waits. @param size all there is */
  head(size: number): Ticket<Key, Item> | null {
    return this.#heads(size)[0] ?? null;
  }

  /** Whose turn it is of those who may have one; null if nobody may. If the first of a class may not, no other of it may. */
  next(size: number): Ticket<Key, Item> | null {
    const [first, second] = this.#heads(size);
    if (!this.#isKept || first === undefined) return first ?? null;
    if (this.lack(first.account.key, first.account.accountClass, size) === null) return first;
    if (second === undefined) return null;
    return this.lack(second.account.key, second.account.accountClass, size) === null ? second : null;
  }

  /**
   * By how much an account holds more than the one whose turn it is: from two on it keeps from it what is not its own, and
   * what free accounts hold beyond their part is too much by any measure.
   */
  excess(key: Key, accountClass: AccountClass, size: number): number {
    const head = this.head(size)?.account;
    if (head === undefined || (head.key === key && head.accountClass === accountClass)) return 0;
    if (head.accountClass === 'bought' && accountClass === 'free' && this.#classes.free.held > partOf(size))
      return Infinity;
    return this.heldBy(key, accountClass) - head.held;
  }

  /** The first of each class, whose turn it is before the other. */
  #heads(size: number): Ticket<Key, Item>[] {
    const bought = this.#classes.bought.next();
    const free = this.#classes.free.next();
    if (bought === null) return free === null ? [] : [free];
    if (free === null) return [bought];
    return this.#isFreeFirst(bought, free, size) ? [free, bought] : [bought, free];
  }

  #isFreeFirst(bought: Ticket<Key, Item>, free: Ticket<Key, Item>, size: number): boolean {
    if (this.#classes.free.held + 1 > partOf(size)) return false;
    if (bought.account.held !== free.account.held) return free.account.held < bought.account.held;
    return this.#lastServed === 'bought';
  }
}

/** What free accounts may hold together while one that bought waits. */
function partOf(size: number): number {
  return Math.max(1, size * FREE_PART);
}
