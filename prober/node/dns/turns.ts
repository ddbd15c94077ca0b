/** An account that is alone leaves a fifth of the places free, so that a newcomer begins at once. */
const ALONE = 4 / 5;

/** Places that accounts share: the next is for the account that holds the fewest, whatever another has queued. */
export class Turns<Account> {
  readonly #places: number;
  readonly #held = new Map<Account, number>();
  /** In the order of the accounts' turns. */
  readonly #waiting = new Map<Account, Set<() => void>>();
  #total = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Accounts that hold a place or wait for one. */
  get accounts(): number {
    return new Set([...this.#held.keys(), ...this.#waiting.keys()]).size;
  }

  /**
   * Takes a place, now or in turn; `giveBack` it.
   * @param run called once there is one
   * @returns what leaves the queue; null: it runs
   */
  take(account: Account, run: () => void): (() => void) | null {
    if (this.#waiting.get(account) === undefined && this.#mayHave(account)) {
      this.#start(account, run);
      return null;
    }
    const queue = this.#waiting.get(account) ?? new Set();
    this.#waiting.set(account, queue.add(run));
    return () => this.#leave(account, queue, run);
  }

  giveBack(account: Account): void {
    this.#total -= 1;
    const left = this.#heldBy(account) - 1;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
    // It has had its turn: of those that hold as many the others come first.
    const own = this.#waiting.get(account);
    if (own !== undefined) {
      this.#waiting.delete(account);
      this.#waiting.set(account, own);
    }
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const queue = this.#waiting.get(next);
      const [run] = queue ?? [];
      if (queue === undefined || run === undefined) return;
      this.#leave(next, queue, run);
      this.#start(next, run);
    }
  }

  #start(account: Account, run: () => void): void {
    this.#total += 1;
    this.#held.set(account, this.#heldBy(account) + 1);
    run();
  }

  /** The account whose turn it is; null: nobody waits that may have a place. */
  #next(): Account | null {
    let fewest: Account | null = null;
    for (const account of this.#waiting.keys())
      if (this.#mayHave(account) && (fewest === null || this.#heldBy(account) < this.#heldBy(fewest))) fewest = account;
    return fewest;
  }

  #mayHave(account: Account): boolean {
    return this.#total < this.#places && this.#heldBy(account) < Math.max(1, Math.floor(this.#places * ALONE));
  }

  #heldBy(account: Account): number {
    return this.#held.get(account) ?? 0;
  }

  #leave(account: Account, queue: Set<() => void>, run: () => void): void {
    queue.delete(run);
    if (queue.size === 0) this.#waiting.delete(account);
  }
}
