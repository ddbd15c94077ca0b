import type { Means } from '../wire/means.ts';
import { Asking } from './asking.ts';
import { Bell } from './bell.ts';
import { answers, type Entry } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import { fingerprintOf, type Journal } from '../journal/journal.ts';
import { settle, type VerifyOptions } from './options.ts';
import { BODY_BYTES_MAX } from './setbacks.ts';
import { Outbox, type Item } from './outbox.ts';
import { notAnAddress, spelling } from '../../words/result.ts';
import { emailOf, isArray, sourceOf, type List, type Listed, type Source } from '../list/source.ts';

/** How far a list is. */
export type Tally = {
  /** Addresses read from the list; a duplicate in an array is not read. */
  readonly read: number;
  /** Of them, those whose result is final. */
  readonly answered: number;
  /** Those that are to be asked again later. */
  readonly waiting: number;
  readonly requests: number;
  /** Credits, by the service's bills. */
  readonly charged: number;
  readonly returned: number;
  /** Credits that requests whose end was lost may have cost besides, at most. */
  readonly unsure: number;
  /** Lines of answers that were not understood. */
  readonly strayLines: number;
};

/** Addresses that are read ahead, so that those of one domain meet. */
const PLANNED_MAX = 5_000;
/** Places of the list that are read and not yet taken by the caller, whatever they wait for. */
const HELD_MAX = 20_000;

/** One list on its way: an iterator over its results, with its tally beside it. */
export class Verification<Input extends Listed> implements AsyncIterableIterator<Item<Input>, undefined, undefined> {
  readonly #wallMs: () => number;
  readonly #signal: AbortSignal | undefined;
  readonly #stop: AbortSignal | undefined;
  readonly #journal: Journal | undefined;
  readonly #fingerprint: () => Promise<string | null>;
  readonly #source: Source<Input>;
  readonly #asking: Asking<Input>;
  readonly #outbox: Outbox<Input>;
  readonly #bell = new Bell();
  readonly #items: AsyncGenerator<Item<Input>, undefined, undefined>;
  #failure: { readonly error: unknown } | null = null;
  /** The caller wants no more. */
  #isLeft = false;
  #isRead = false;
  /** Places read and not taken. */
  #held = 0;
  #read = 0;
  #answered = 0;

  /** @throws TypeError, RcptError INVALID_INPUT */
  constructor(means: Means, list: List<Input>, options: VerifyOptions) {
    const settled = settle(options);
    this.#wallMs = means.service.clock.wallMs;
    this.#signal = options.signal;
    this.#stop = options.stop;
    this.#journal = options.journal;
    this.#source = sourceOf(list);
    this.#fingerprint = async () => options.fingerprint ?? (isArray(list) ? fingerprintOf(list.map(emailOf)) : null);
    this.#outbox = new Outbox(settled.ordered);
    this.#asking = new Asking(means, settled, {
      reading: () => (this.#isRead ? 'ended' : this.#hasRoom() ? 'going' : 'full'),
      isBehind: () => this.#outbox.isFull,
      onAnswer: (entry) => this.#remember(entry),
      onFinal: (entry, result) => {
        this.#answered += 1;
        this.#outbox.add(entry, result);
      },
      onFailure: (error) => this.#fail(error),
      onChange: () => this.#bell.ring(),
    });
    this.#items = this.#deliver();
  }

  get tally(): Tally {
    const { waiting, requests, strayLines, budget } = this.#asking;
    const { charged, returned, unsure } = budget;
    return { read: this.#read, answered: this.#answered, waiting, requests, charged, returned, unsure, strayLines };
  }

  /** @throws RcptError; the signal's reason; what the list throws: after everything that is known was given */
  next(): Promise<IteratorResult<Item<Input>, undefined>> {
    return this.#items.next();
  }

  /** Ends the run at once: what the service had not written costs nothing. */
  return(): Promise<IteratorResult<Item<Input>, undefined>> {
    this.#isLeft = true;
    this.#bell.ring();
    return this.#items.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#deliver(): AsyncGenerator<Item<Input>, undefined, undefined> {
    const onAbort = (): void => {
      const reason: unknown = this.#signal?.reason;
      this.#fail(reason);
      void this.#asking.abort(reason);
    };
    const onStop = (): void => this.#fail(this.#stop?.reason);
    let isOpen = false;
    try {
      this.#signal?.throwIfAborted();
      this.#stop?.throwIfAborted();
      this.#signal?.addEventListener('abort', onAbort);
      this.#stop?.addEventListener('abort', onStop);
      if (this.#journal !== undefined) {
        await this.#journal.open(await this.#fingerprint());
        isOpen = true;
      }
      void this.#readAll();
      while (!this.#isLeft) {
        const item = this.#outbox.shift(this.#failure !== null);
        if (item !== null) {
          this.#held -= 1;
          this.#asking.advance();
          yield item;
        } else if (this.#isOver()) break;
        else await this.#bell.rung();
      }
      if (this.#failure !== null) throw this.#explained(this.#failure.error);
    } finally {
      this.#isLeft = true;
      this.#bell.ring();
      this.#signal?.removeEventListener('abort', onAbort);
      this.#stop?.removeEventListener('abort', onStop);
      this.#source.close();
      await this.#asking.abort(new Error('The run has ended.'));
      if (isOpen) await this.#journal?.close();
    }
  }

  #isOver(): boolean {
    return this.#asking.isIdle && (this.#failure !== null || this.#isRead);
  }

  /** No more is asked or read. What is under way ends, and what is known goes to the caller. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#asking.stop();
    this.#bell.ring();
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof RcptError) || (error.code !== 'NO_CREDITS' && error.code !== 'CEILING')) return error;
    return error.with({ creditsNeeded: (this.#source.size ?? this.#read) - this.#answered });
  }

  async #readAll(): Promise<void> {
    try {
      while (!this.#isStopped()) {
        if (!this.#hasRoom()) {
          await this.#bell.rung();
          continue;
        }
        const entry = await this.#source.next();
        if (entry === null || this.#isStopped()) break;
        await this.#admit(entry);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isRead = true;
    this.#asking.advance();
  }

  #isStopped(): boolean {
    return this.#isLeft || this.#failure !== null;
  }

  #hasRoom(): boolean {
    return this.#held < HELD_MAX && this.#asking.planned < PLANNED_MAX;
  }

  async #admit(entry: Entry<Input>): Promise<void> {
    this.#read += 1;
    this.#held += 1 + entry.copies.length;
    const record = this.#journal === undefined ? null : await this.#journal.known(entry.index);
    if (record !== null) {
      if (!answers(record.result, entry.email))
        throw new RcptError('LIST_CHANGED', `The journal has another address at position ${entry.index} of the list.`);
      entry.asked = record.asked;
      entry.result = record.result;
      this.#asking.keep(entry, record.result, Math.max(0, this.#wallMs() - record.atMs));
    } else if (entry.bytes > BODY_BYTES_MAX / 2) {
      // Far beyond the 254 octets of an address, and nearly more than a request may hold.
      this.#answered += 1;
      this.#outbox.add(entry, notAnAddress(spelling(entry.email)));
      // The run may have ended while the journal was looked up: what is added after that would never be asked.
    } else if (!this.#isStopped()) this.#asking.add(entry);
    this.#asking.advance();
  }

  async #remember({ index, asked, result }: Entry<Input>): Promise<void> {
    if (result !== null) await this.#journal?.append({ index, asked, atMs: this.#wallMs(), result });
  }
}
