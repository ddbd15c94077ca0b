import type { Means } from '../wire/service.ts';
import { Asking } from './asking.ts';
import { RcptError } from '../base/errors.ts';
import { type Journal, NO_JOURNAL } from '../journal/journal.ts';
import { settle, type VerifyOptions } from './options.ts';
import type { Item } from './outbox.ts';
import { isArray, sourceOf, type List, type Listed, type Source } from '../list/source.ts';

/** How far a list is. */
export type Tally = {
  /** Addresses read from the list; a duplicate in an array is not read. */
  readonly read: number;
  /** Of them, those whose result is final. */
  readonly answered: number;
  /** Those that are to be asked again later, and how long until the first of them is. */
  readonly waiting: number;
  readonly waitingMs: number;
  /** How long the service wants the next request to wait: its rate limit, or a pause after a failure. */
  readonly pausedMs: number;
  readonly requests: number;
  /** Of the requests, those that wait until the service has ended an interrupted attempt, which takes some minutes at most. */
  readonly conflicts: number;
  /** Credits of the whole list, those of earlier runs with its journal included, by the service's bills. */
  readonly charged: number;
  readonly returned: number;
  /** At most this many credits besides, in requests that were cut off and whose cost the service has not said yet. */
  readonly unconfirmed: number;
};

/** Places of the list that are read and not yet taken by the caller. */
const HELD_MAX = 20_000;
/** Entries that depend on nothing but the list for the requests they are in: a request may hold as many of one domain. */
const KEYED_MAX = 100;

function isKeyable(list: List<Listed>, { rounds = 1, journal }: VerifyOptions): boolean {
  return isArray(list) && list.length <= KEYED_MAX && rounds === 1 && journal === undefined;
}

/** One list on its way: an iterator over its results, with its tally beside it. */
export class Verification<Input extends Listed> implements AsyncIterableIterator<Item<Input>> {
  readonly #means: Means;
  readonly #signal: AbortSignal | undefined;
  readonly #stop: AbortSignal | undefined;
  readonly #journal: Journal;
  readonly #source: Source<Input>;
  readonly #asking: Asking<Input>;
  readonly #items: AsyncGenerator<Item<Input>, undefined, undefined>;
  /** The caller wants no more. */
  #isLeft = false;
  #isRead = false;
  /** Places read and not taken. */
  #held = 0;
  #read = 0;

  /** @throws TypeError, RcptError INVALID_INPUT */
  constructor(means: Means, list: List<Input>, options: VerifyOptions) {
    const settled = settle(options);
    if (settled.idempotencyKey !== null && !isKeyable(list, options))
      throw new TypeError(
        `idempotencyKey is for a small list: an array of at most ${KEYED_MAX} entries, one round and no journal.`,
      );
    const { journal = NO_JOURNAL, signal, stop } = options;
    this.#means = means;
    this.#signal = signal;
    this.#stop = stop;
    this.#journal = journal;
    this.#source = sourceOf(list);
    const isReading = (): boolean => !this.#isRead && this.#held < HELD_MAX;
    this.#asking = new Asking(means, settled, journal, isReading);
    this.#items = this.#deliver();
  }

  get tally(): Tally {
    const { sender, queue, outbox } = this.#asking;
    const nowMs = this.#means.service.clock.now();
    return {
      read: this.#read,
      answered: outbox.answered,
      waiting: queue.deferred,
      waitingMs: queue.deferred === 0 ? 0 : Math.max(0, queue.deferredUntilMs - nowMs),
      pausedMs: queue.planned === 0 ? 0 : Math.max(0, this.#means.pace.nextMs - nowMs),
      requests: sender.attempts,
      conflicts: sender.waiting,
      ...sender.spent,
    };
  }

  /** @throws RcptError; the signal's reason; what the list throws: after everything that is known was given */
  next(): Promise<IteratorResult<Item<Input>, undefined>> {
    return this.#items.next();
  }

  /** Ends the run at once: what the service had not written costs nothing. */
  return(): Promise<IteratorResult<Item<Input>, undefined>> {
    this.#isLeft = true;
    this.#asking.bell.ring();
    return this.#items.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#deliver(): AsyncGenerator<Item<Input>, undefined, undefined> {
    const asking = this.#asking;
    const onAbort = (): void => void asking.abort(this.#signal?.reason);
    const onStop = (): void => asking.fail(this.#stop?.reason);
    let isOpen = false;
    try {
      this.#signal?.throwIfAborted();
      this.#stop?.throwIfAborted();
      this.#signal?.addEventListener('abort', onAbort);
      this.#stop?.addEventListener('abort', onStop);
      await this.#journal.open();
      isOpen = true;
      const { open, spent } = await this.#journal.requests();
      asking.sender.addSpent(spent);
      asking.recover(open);
      void this.#readAll();
      while (!this.#isLeft) {
        const item = asking.outbox.shift();
        if (item !== null) {
          this.#held -= 1;
          asking.advance();
          yield item;
        } else if (asking.isIdle && (this.#isRead || asking.failure !== null)) break;
        else await asking.bell.rung();
      }
      if (asking.failure !== null) throw this.#explained(asking.failure.error);
    } finally {
      this.#isLeft = true;
      this.#signal?.removeEventListener('abort', onAbort);
      this.#stop?.removeEventListener('abort', onStop);
      this.#source.close();
      await asking.abort(new Error('The run has ended.'));
      if (isOpen) await this.#journal.close();
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof RcptError) || (error.code !== 'NO_CREDITS' && error.code !== 'CEILING')) return error;
    return error.with({ creditsNeeded: (this.#source.size ?? this.#read) - this.#asking.outbox.answered });
  }

  async #readAll(): Promise<void> {
    const asking = this.#asking;
    try {
      while (asking.failure === null) {
        if (this.#held >= HELD_MAX) {
          await asking.bell.rung();
          continue;
        }
        const entry = await this.#source.next();
        if (entry === null || asking.failure !== null) break;
        this.#read += 1;
        this.#held += 1 + entry.copies.length;
        await asking.admit(entry);
      }
    } catch (error) {
      asking.fail(error);
    }
    this.#isRead = true;
    asking.advance();
  }
}
