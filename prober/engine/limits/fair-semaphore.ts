import { FairShare, type Ticket } from './fair-share.ts';

/** Gives a permit back. Calling it again does nothing. */
export type Release = () => void;

export type Permit = Release | 'aborted';

export type FairSemaphoreOptions = {
  /** Permits in all. */
  readonly permits: number;
  /**
   * `all`: one account alone may hold every permit. `spare`: an account is given one only while it holds fewer than are
   * free, so that one alone has half of them, two have a third each, and a newcomer always finds a free one.
   */
  readonly share: 'all' | 'spare';
};

type Waiter = { readonly settle: (permit: Permit) => void; readonly signal: AbortSignal; readonly onAbort: () => void };

/**
 * A semaphore whose permits accounts share in turn (see `FairShare`): no account waits for another that holds more, however
 * many requests that one has queued.
 *
 * It knows no clock and remembers only accounts that hold a permit or wait for one.
 */
export class FairSemaphore<Key> {
  readonly #options: FairSemaphoreOptions;
  readonly #share = new FairShare<Key, Waiter>();

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Permits held. */
  get held(): number {
    return this.#share.held;
  }

  /** Accounts that hold a permit or wait for one. */
  get accounts(): number {
    return this.#share.accounts;
  }

  /**
   * Asks for one permit, at once if there is one.
   * @param key the account
   * @param signal ends the waiting; a permit that was given is kept until it is released
   */
  acquire(key: Key, signal: AbortSignal): Permit | Promise<Permit> {
    if (signal.aborted) return 'aborted';
    // A request that waits is not allowed a permit now, so this one overtakes none, not even of its own account.
    if (this.#allows(key)) return this.#grant(key);
    return new Promise((settle) => {
      const onAbort = (): void => {
        this.#share.dequeue(ticket);
        settle('aborted');
      };
      const ticket = this.#share.enqueue(key, { settle, signal, onAbort });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #allows(key: Key): boolean {
    const free = this.#options.permits - this.#share.held;
    return this.#options.share === 'all' ? free > 0 : this.#share.heldBy(key) < free;
  }

  #grant(key: Key): Release {
    this.#share.acquire(key);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#share.release(key);
      this.#serve();
    };
  }

  /** Grants what is free. If the account with the fewest permits is not allowed one, no other is. */
  #serve(): void {
    for (let ticket = this.#next(); ticket !== null; ticket = this.#next()) {
      const { account, item } = ticket;
      this.#share.dequeue(ticket);
      item.signal.removeEventListener('abort', item.onAbort);
      item.settle(this.#grant(account.key));
    }
  }

  #next(): Ticket<Key, Waiter> | null {
    const ticket = this.#share.next();
    return ticket !== null && this.#allows(ticket.account.key) ? ticket : null;
  }
}
