/** Gives a place back. Calling it again does nothing. */
export type Release = () => void;

export type Turn = Release | 'aborted';

export type TurnsOptions = {
  /** Places in all. */
  readonly bound: number;
  /**
   * `all`: one account alone may have every place. `spare`: an account takes a place only while it holds fewer than are
   * free, so that one alone has half of them, two have a third each, and a newcomer always finds a free one.
   */
  readonly share: 'all' | 'spare';
};

type Waiter = {
  readonly settle: (turn: Turn) => void;
  readonly signal: AbortSignal;
  readonly onAbort: () => void;
  before: Waiter | null;
  behind: Waiter | null;
};

/** Its waiters are a list that is linked both ways: the first is found, and any taken out, in the same time. */
type Account<Key> = { readonly key: Key; held: number; first: Waiter | null; last: Waiter | null };

/**
 * A bounded number of places, given out in turn by account: a free place goes to the account that holds the fewest,
 * among equals to the one that has waited longest for its turn, and within an account to whoever came first. So no
 * account waits for another that holds more, however many of its requests wait.
 *
 * It knows no clock and remembers only who holds a place or waits for one.
 */
export class Turns<Key> {
  readonly #options: TurnsOptions;
  readonly #accounts = new Map<Key, Account<Key>>();
  /** Accounts with waiters, by how many places they hold; each set in the order of their turns. */
  readonly #lines: Set<Account<Key>>[] = [];
  /** No line before this one has anybody in it. */
  #shortest = 0;
  #held = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Places taken. */
  get held(): number {
    return this.#held;
  }

  /** Accounts that hold a place or wait for one. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /**
   * Asks for one place, at once if there is one.
   * @param key whose request it is
   * @param signal ends the waiting; a place that was given out is kept until it is released
   */
  take(key: Key, signal: AbortSignal): Turn | Promise<Turn> {
    if (signal.aborted) return 'aborted';
    const account = this.#accountOf(key);
    // Whoever waits may not have a place now, so nobody is overtaken, the account's own requests included.
    if (this.#admits(account)) return this.#give(account);
    return this.#wait(account, signal);
  }

  #accountOf(key: Key): Account<Key> {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account: Account<Key> = { key, held: 0, first: null, last: null };
    this.#accounts.set(key, account);
    return account;
  }

  #admits({ held }: Account<Key>): boolean {
    const free = this.#options.bound - this.#held;
    return this.#options.share === 'all' ? free > 0 : held < free;
  }

  /** Only for an account that stands in no line. */
  #give(account: Account<Key>): Release {
    account.held += 1;
    this.#held += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#leaveLine(account);
      account.held -= 1;
      this.#held -= 1;
      this.#joinLine(account);
      this.#serve();
    };
  }

  #wait(account: Account<Key>, signal: AbortSignal): Promise<Turn> {
    return new Promise((settle) => {
      const onAbort = (): void => {
        takeOut(account, waiter);
        if (account.first === null) this.#leaveLine(account);
        this.#forgetIdle(account);
        settle('aborted');
      };
      const waiter: Waiter = { settle, signal, onAbort, before: account.last, behind: null };
      if (account.last === null) account.first = waiter;
      else account.last.behind = waiter;
      account.last = waiter;
      this.#joinLine(account);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Gives out what is free. When the account with the fewest places may not have one, no other may. */
  #serve(): void {
    for (let account = this.#next(); account !== null && this.#admits(account); account = this.#next()) {
      const waiter = account.first;
      if (waiter === null) return;
      takeOut(account, waiter);
      waiter.signal.removeEventListener('abort', waiter.onAbort);
      this.#leaveLine(account);
      waiter.settle(this.#give(account));
      this.#joinLine(account);
    }
  }

  #next(): Account<Key> | null {
    for (; this.#shortest < this.#lines.length; this.#shortest += 1) {
      const [account] = this.#lines[this.#shortest] ?? [];
      if (account !== undefined) return account;
    }
    return null;
  }

  /** An account keeps its place in a line that it already stands in. */
  #joinLine(account: Account<Key>): void {
    if (account.first === null) return this.#forgetIdle(account);
    while (this.#lines.length <= account.held) this.#lines.push(new Set());
    this.#lines[account.held]?.add(account);
    this.#shortest = Math.min(this.#shortest, account.held);
  }

  #leaveLine(account: Account<Key>): void {
    this.#lines[account.held]?.delete(account);
  }

  #forgetIdle(account: Account<Key>): void {
    if (account.held === 0 && account.first === null) this.#accounts.delete(account.key);
  }
}

function takeOut(account: Account<unknown>, { before, behind }: Waiter): void {
  if (before === null) account.first = behind;
  else before.behind = behind;
  if (behind === null) account.last = before;
  else behind.before = before;
}
