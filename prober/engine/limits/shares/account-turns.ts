/** One place in the queue of an account. */
export type Ticket<Key, Item> = {
  readonly account: Account<Key, Item>;
  readonly item: Item;
  before: Ticket<Key, Item> | null;
  behind: Ticket<Key, Item> | null;
};

/** Its queue is a doubly linked list: the first is found, and any one removed, in constant time. */
type Account<Key, Item> = {
  readonly key: Key;
  held: number;
  first: Ticket<Key, Item> | null;
  last: Ticket<Key, Item> | null;
};

/**
 * The turns of accounts. The next in turn is of the account that holds the fewest; among equals, of the
 * one that has waited longest for its turn; within an account, the one that came first. Every step takes constant time,
 * however many wait. Remembers only accounts that hold something or wait.
 */
export class AccountTurns<Key, Item> {
  readonly #accounts = new Map<Key, Account<Key, Item>>();
  /** Accounts with a queue, by how much they hold; each set in the order of their turns. */
  readonly #turns: Set<Account<Key, Item>>[] = [];
  /** Every set before this one is empty. */
  #fewest = 0;
  #held = 0;

  /** Held by all accounts together. */
  get held(): number {
    return this.#held;
  }

  /** Accounts that hold something or wait. */
  get accounts(): number {
    return this.#accounts.size;
  }

  heldBy(key: Key): number {
    return this.#accounts.get(key)?.held ?? 0;
  }

  acquire(key: Key): void {
    this.#change(this.#accountOf(key), 1);
  }

  release(key: Key): void {
    this.#change(this.#accountOf(key), -1);
  }

  /** Queues at the end of its account's queue. */
  enqueue(key: Key, item: Item): Ticket<Key, Item> {
    const account = this.#accountOf(key);
    const ticket: Ticket<Key, Item> = { account, item, before: account.last, behind: null };
    if (account.last === null) account.first = ticket;
    else account.last.behind = ticket;
    account.last = ticket;
    this.#takeTurns(account);
    return ticket;
  }

  /** Leaves the queue. Call it once for each ticket. */
  dequeue(ticket: Ticket<Key, Item>): void {
    const { account, before, behind } = ticket;
    if (before === null) account.first = behind;
    else before.behind = behind;
    if (behind === null) account.last = before;
    else behind.before = before;
    if (account.first !== null) return;
    this.#turns[account.held]?.delete(account);
    if (account.held === 0) this.#accounts.delete(account.key);
  }

  /** Whose turn it is; null if nobody waits. */
  next(): Ticket<Key, Item> | null {
    for (; this.#fewest < this.#turns.length; this.#fewest += 1) {
      const equals = this.#turns[this.#fewest];
      if (equals === undefined || equals.size === 0) continue;
      const [account] = equals;
      return account?.first ?? null;
    }
    return null;
  }

  /** Leaves an account out of the turns until `resume`. */
  skip(key: Key): void {
    const account = this.#accounts.get(key);
    if (account !== undefined) this.#turns[account.held]?.delete(account);
  }

  resume(key: Key): void {
    const account = this.#accounts.get(key);
    if (account !== undefined) this.#takeTurns(account);
  }

  #accountOf(key: Key): Account<Key, Item> {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account: Account<Key, Item> = { key, held: 0, first: null, last: null };
    this.#accounts.set(key, account);
    return account;
  }

  #change(account: Account<Key, Item>, by: 1 | -1): void {
    this.#turns[account.held]?.delete(account);
    account.held += by;
    this.#held += by;
    this.#takeTurns(account);
    if (account.held === 0 && account.first === null) this.#accounts.delete(account.key);
  }

  /** An account that is already in the set keeps its turn. */
  #takeTurns(account: Account<Key, Item>): void {
    if (account.first === null) return;
    while (this.#turns.length <= account.held) this.#turns.push(new Set());
    this.#turns[account.held]?.add(account);
    this.#fewest = Math.min(this.#fewest, account.held);
  }
}
