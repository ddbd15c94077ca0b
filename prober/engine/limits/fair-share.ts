/** One who waits, in the line of an account. */
export type Place<Key, Item> = {
  readonly account: Account<Key, Item>;
  readonly item: Item;
  before: Place<Key, Item> | null;
  behind: Place<Key, Item> | null;
};

/** Its places are a list that is linked both ways: the first is found, and any taken out, in the same time. */
type Account<Key, Item> = {
  readonly key: Key;
  held: number;
  first: Place<Key, Item> | null;
  last: Place<Key, Item> | null;
};

/**
 * Who holds how many of some thing, and who waits for it. The next in turn is of the account that holds the fewest, among
 * equals of the one that has waited longest for its turn, and within an account whoever came first. Every step takes the
 * same time, however many wait. Remembers only who holds something or waits.
 */
export class Standings<Key, Item> {
  readonly #accounts = new Map<Key, Account<Key, Item>>();
  /** Accounts in which somebody waits, by how much they hold; each set in the order of their turns. */
  readonly #lines: Set<Account<Key, Item>>[] = [];
  /** No line before this one has anybody in it. */
  #shortest = 0;
  #held = 0;

  /** Held by all together. */
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

  give(key: Key): void {
    this.#change(this.#accountOf(key), 1);
  }

  takeBack(key: Key): void {
    this.#change(this.#accountOf(key), -1);
  }

  /** Stands at the end of its account's line. */
  join(key: Key, item: Item): Place<Key, Item> {
    const account = this.#accountOf(key);
    const place: Place<Key, Item> = { account, item, before: account.last, behind: null };
    if (account.last === null) account.first = place;
    else account.last.behind = place;
    account.last = place;
    this.#lineUp(account);
    return place;
  }

  /** Waits no more. A place is left once. */
  leave(place: Place<Key, Item>): void {
    const { account, before, behind } = place;
    if (before === null) account.first = behind;
    else before.behind = behind;
    if (behind === null) account.last = before;
    else behind.before = before;
    if (account.first !== null) return;
    this.#lines[account.held]?.delete(account);
    if (account.held === 0) this.#accounts.delete(account.key);
  }

  /** Whose turn it is; null if nobody waits. */
  next(): Place<Key, Item> | null {
    for (; this.#shortest < this.#lines.length; this.#shortest += 1) {
      const line = this.#lines[this.#shortest];
      if (line === undefined || line.size === 0) continue;
      const [account] = line;
      return account?.first ?? null;
    }
    return null;
  }

  /** Passes an account over until it is lined up again. */
  passOver(key: Key): void {
    const account = this.#accounts.get(key);
    if (account !== undefined) this.#lines[account.held]?.delete(account);
  }

  /** Ends the passing over. */
  lineUp(key: Key): void {
    const account = this.#accounts.get(key);
    if (account !== undefined) this.#lineUp(account);
  }

  #accountOf(key: Key): Account<Key, Item> {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account: Account<Key, Item> = { key, held: 0, first: null, last: null };
    this.#accounts.set(key, account);
    return account;
  }

  #change(account: Account<Key, Item>, by: 1 | -1): void {
    this.#lines[account.held]?.delete(account);
    account.held += by;
    this.#held += by;
    this.#lineUp(account);
    if (account.held === 0 && account.first === null) this.#accounts.delete(account.key);
  }

  /** An account keeps its place in a line that it already stands in. */
  #lineUp(account: Account<Key, Item>): void {
    if (account.first === null) return;
    while (this.#lines.length <= account.held) this.#lines.push(new Set());
    this.#lines[account.held]?.add(account);
    this.#shortest = Math.min(this.#shortest, account.held);
  }
}
