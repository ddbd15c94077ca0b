import type { Means } from '../wire/means.ts';
import { Asking, type Run } from './asking.ts';
import { Bell } from './bell.ts';
import { answers, type Entry } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import { fingerprintOf, type Journal, NO_JOURNAL } from '../journal/journal.ts';
import { settle, type VerifyOptions } from './options.ts';
import { BODY_BYTES_MAX } from './setbacks.ts';
import { Queue } from './queue.ts';
import { Recovery } from './recovery.ts';
import { Sender } from './sender.ts';
import { Outbox, type Item } from './outbox.ts';
import { notAnAddress, spelling } from '../../words/result.ts';
import type { OtherLine } from '../wire/read-line.ts';
import { emailOf, isArray, sourceOf, type List, type Listed, type Source } from '../list/source.ts';

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
  /** At most so many credits besides, in requests that were cut off and whose cost the service has not said yet. */
  readonly unsure: number;
  /** Lines of answers that were not understood. */
  readonly strayLines: number;
};

/** Addresses that are read ahead, so that those of one domain meet. */
const PLANNED_MAX = 5_000;
/** Places of the list that are read and not yet taken by the caller. */
const HELD_MAX = 20_000;

/** Entries that go into one request wherever they are. */
const KEYED_MAX = 100;

function isOneRequest(list: List<Listed>, { rounds = 1, journal }: VerifyOptions): boolean {
  return isArray(list) && list.length <= KEYED_MAX && rounds === 1 && journal === undefined;
}

/** One list on its way: an iterator over its results, with its tally beside it. */
export class Verification<Input extends Listed> implements AsyncIterableIterator<Item<Input>, undefined, undefined> {
  readonly #means: Means;
  readonly #signal: AbortSignal | undefined;
  readonly #stop: AbortSignal | undefined;
  readonly #journal: Journal;
  readonly #onOtherLine: (line: OtherLine) => void;
  readonly #fingerprint: () => Promise<string | null>;
  readonly #source: Source<Input>;
  readonly #sender: Sender;
  readonly #recovery: Recovery;
  readonly #queue: Queue<Input>;
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
    if (settled.idempotencyKey !== null && !isOneRequest(list, options))
      throw new TypeError(
        `idempotencyKey is for one request: an array of at most ${KEYED_MAX} entries, one round and no journal.`,
      );
    this.#means = means;
    this.#signal = options.signal;
    this.#stop = options.stop;
    this.#journal = options.journal ?? NO_JOURNAL;
    this.#onOtherLine = settled.onOtherLine;
    this.#source = sourceOf(list);
    this.#fingerprint = async () => options.fingerprint ?? (isArray(list) ? fingerprintOf(list.map(emailOf)) : null);
    this.#outbox = new Outbox(settled.ordered);
    this.#sender = new Sender(means, { ...settled, onOtherLine: (line) => this.#passOn(line) }, this.#journal);
    this.#recovery = new Recovery(this.#journal, this.#sender, means.service.clock.wallMs);
    this.#queue = new Queue(settled.maxCredits < Infinity);
    const run: Run<Input> = {
      reading: () => (this.#isRead ? 'ended' : this.#hasRoom() ? 'going' : 'full'),
      isBehind: () => this.#outbox.isFull,
      onAnswer: async ({ index, asked, result }) => {
        if (result !== null) await this.#journal.append({ index, asked, atMs: means.service.clock.wallMs(), result });
      },
      onFinal: (entry, result) => {
        this.#answered += 1;
        this.#outbox.add(entry, result);
      },
      onFailure: (error) => this.#fail(error),
      onChange: () => this.#bell.ring(),
    };
    this.#asking = new Asking(means, settled, { queue: this.#queue, sender: this.#sender, run });
    this.#items = this.#deliver();
  }

  get tally(): Tally {
    const { requests, waiting: conflicts, strayLines, budget } = this.#sender;
    const { waiting, waitsUntilMs, planned } = this.#queue;
    const nowMs = this.#means.service.clock.now();
    return {
      read: this.#read,
      answered: this.#answered,
      waiting,
      waitingMs: waiting === 0 ? 0 : Math.max(0, waitsUntilMs - nowMs),
      pausedMs: planned === 0 ? 0 : Math.max(0, this.#means.pace.nextMs - nowMs),
      requests,
      conflicts,
      ...budget.spent,
      strayLines,
    };
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
      await this.#journal.open(await this.#fingerprint());
      isOpen = true;
      await this.#takeUp();
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
      await this.#recovery.end();
      if (isOpen) await this.#journal.close();
    }
  }

  #isOver(): boolean {
    return this.#asking.isIdle && this.#recovery.isIdle && (this.#failure !== null || this.#isRead);
  }

  /** No more is asked or read. What is under way ends, and what is known goes to the caller. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#asking.stop();
    this.#bell.ring();
  }

  /** The caller's own function: what it throws ends the run, and not the reading of this answer. */
  #passOn(line: OtherLine): void {
    try {
      this.#onOtherLine(line);
    } catch (error) {
      this.#fail(error);
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof RcptError) || (error.code !== 'NO_CREDITS' && error.code !== 'CEILING')) return error;
    return error.with({ creditsNeeded: (this.#source.size ?? this.#read) - this.#answered });
  }

  /** What earlier runs have spent counts, and what they were cut off in is asked again, under the same keys. */
  async #takeUp(): Promise<void> {
    const { open, spent } = await this.#journal.requests();
    const { budget } = this.#sender;
    budget.add(spent);
    const entries = open.reduce((sum, request) => sum + request.entries.length, 0);
    if (entries > budget.left) {
      this.#fail(new RcptError('CEILING', `Requests that were cut off may cost more than the ceiling has left.`));
      return;
    }
    this.#recovery.begin(open, (error) => {
      if (error !== null) this.#fail(error);
      this.#bell.ring();
    });
  }

  async #readAll(): Promise<void> {
    const held: Promise<void>[] = [];
    try {
      while (!this.#isStopped()) {
        if (!this.#hasRoom()) {
          await this.#bell.rung();
          continue;
        }
        const entry = await this.#source.next();
        if (entry === null || this.#isStopped()) break;
        const admitted = this.#admit(entry);
        // What a request of an earlier run is to answer holds up nothing behind it.
        if (this.#recovery.isOpen(entry.index)) held.push(admitted.catch((error: unknown) => this.#fail(error)));
        else await admitted;
      }
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(held);
    this.#isRead = true;
    this.#asking.advance();
  }

  #isStopped(): boolean {
    return this.#isLeft || this.#failure !== null;
  }

  #hasRoom(): boolean {
    return this.#held < HELD_MAX && this.#queue.planned < PLANNED_MAX;
  }

  async #admit(entry: Entry<Input>): Promise<void> {
    this.#read += 1;
    this.#held += 1 + entry.copies.length;
    const record = await this.#recovery.known(entry.index);
    if (record !== null) {
      if (!answers(record.result, entry.email))
        throw new RcptError('LIST_CHANGED', `The journal has another address at position ${entry.index} of the list.`);
      entry.asked = record.asked;
      entry.result = record.result;
      this.#asking.keep(entry, record.result, Math.max(0, this.#means.service.clock.wallMs() - record.atMs));
    } else if (entry.bytes > BODY_BYTES_MAX / 2) {
      // Far beyond the 254 octets of an address, and nearly more than a request may hold.
      this.#answered += 1;
      this.#outbox.add(entry, notAnAddress(spelling(entry.email)));
      // The run may have ended while the journal was looked up: what is added after that would never be asked.
    } else if (!this.#isStopped()) this.#asking.add(entry);
    this.#asking.advance();
  }
}
