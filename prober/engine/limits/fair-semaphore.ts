import { type Place, Standings } from './fair-share.ts';

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

type Waiter = { readonly settle: (turn: Turn) => void; readonly signal: AbortSignal; readonly onAbort: () => void };

/**
 * A bounded number of places, given out in turn by account (see `Standings`): no account waits for another that holds
 * more, however many of its requests wait.
 *
 * It knows no clock and remembers only who holds a place or waits for one.
 */
export class Turns<Key> {
  readonly #options: TurnsOptions;
  readonly #standings = new Standings<Key, Waiter>();

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Places taken. */
  get held(): number {
    return this.#standings.held;
  }

  /** Accounts that hold a place or wait for one. */
  get accounts(): number {
    return this.#standings.accounts;
  }

  /**
   * Asks for one place, at once if there is one.
   * @param key whose request it is
   * @param signal ends the waiting; a place that was given out is kept until it is released
   */
  take(key: Key, signal: AbortSignal): Turn | Promise<Turn> {
    if (signal.aborted) return 'aborted';
    // Whoever waits may not have a place now, so nobody is overtaken, the account's own requests included.
    if (this.#admits(key)) return this.#give(key);
    return new Promise((settle) => {
      const onAbort = (): void => {
        this.#standings.leave(place);
        settle('aborted');
      };
      const place = this.#standings.join(key, { settle, signal, onAbort });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #admits(key: Key): boolean {
    const free = this.#options.bound - this.#standings.held;
    return this.#options.share === 'all' ? free > 0 : this.#standings.heldBy(key) < free;
  }

  #give(key: Key): Release {
    this.#standings.give(key);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#standings.takeBack(key);
      this.#serve();
    };
  }

  /** Gives out what is free. When the account with the fewest places may not have one, no other may. */
  #serve(): void {
    for (let place = this.#next(); place !== null; place = this.#next()) {
      const { account, item } = place;
      this.#standings.leave(place);
      item.signal.removeEventListener('abort', item.onAbort);
      item.settle(this.#give(account.key));
    }
  }

  #next(): Place<Key, Waiter> | null {
    const place = this.#standings.next();
    return place !== null && this.#admits(place.account.key) ? place : null;
  }
}
