import type { SharedResource } from '../../../schema/shares.ts';
import type { Ticket } from '../../engine/limits/shares/account-turns.ts';
import { FairShare } from '../../engine/limits/shares/fair-share.ts';

/** Gives a permit back. Calling it again does nothing. */
export type Release = () => void;

export type Permit = Release | 'aborted';

/** For whom a permit is. */
export type Asker<Key> = { readonly account: Key };

type Waiter = { readonly settle: (permit: Permit) => void; readonly signal: AbortSignal; readonly onAbort: () => void };

/**
 * A semaphore whose permits accounts share (see `FairShare`; they are kept, not lent): no account waits for another that
 * holds more, however many requests that one has queued.
 *
 * It knows no clock and remembers only accounts that hold a permit or wait for one.
 */
export class FairSemaphore<Key> {
  readonly #permits: number;
  readonly #share: FairShare<Key, Waiter>;

  /** @param permits in all */
  constructor(resource: SharedResource, permits: number) {
    this.#permits = permits;
    this.#share = new FairShare(resource, 'kept');
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
   * @param signal ends the waiting; a permit that was given is kept until it is released
   */
  acquire(asker: Asker<Key>, signal: AbortSignal): Permit | Promise<Permit> {
    if (signal.aborted) return 'aborted';
    // A request that waits is not allowed a permit now, so this one overtakes none, not even of its own account.
    if (this.#share.lack(asker.account, this.#permits) === null) return this.#grant(asker);
    return new Promise((settle) => {
      const onAbort = (): void => {
        this.#share.dequeue(ticket);
        settle('aborted');
      };
      const ticket = this.#share.enqueue(asker.account, { settle, signal, onAbort });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #grant({ account }: Asker<Key>): Release {
    this.#share.acquire(account);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#share.release(account);
      this.#serve();
    };
  }

  /** Grants what is free. */
  #serve(): void {
    for (let ticket = this.#next(); ticket !== null; ticket = this.#next()) {
      const { account, item } = ticket;
      this.#share.dequeue(ticket);
      item.signal.removeEventListener('abort', item.onAbort);
      item.settle(this.#grant({ account: account.key }));
    }
  }

  #next(): Ticket<Key, Waiter> | null {
    return this.#share.next(this.#permits);
  }
}
