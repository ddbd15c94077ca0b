import { answers, type Entry } from '../list/entry.ts';
import type { Listed } from '../list/source.ts';
import { RcptError } from '../base/errors.ts';
import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { JournalRequest } from '../journal/requests.ts';
import type { Settled } from './options.ts';
import { isUnprobed, isWorthAsking, notAnAddress, type OpenResult, spelling } from '../../words/result.ts';
import type { Means } from '../wire/service.ts';
import { Bell } from './bell.ts';
import { Outbox } from './outbox.ts';
import { BODY_BYTES_MAX, Queue } from './queue.ts';
import { Sender } from './sender.ts';

/** How long a request that is not full waits for a list that is still being read. */
const LINGER_MS = 200;

/** The requests of one run: when each begins, what its answers mean, and what is asked again. */
export class Asking<Input extends Listed> {
  readonly sender: Sender;
  readonly queue: Queue<Input>;
  readonly outbox = new Outbox<Input>();
  /** Rings when something has changed. */
  readonly bell = new Bell();
  readonly #means: Means;
  readonly #settled: Settled;
  readonly #journal: Journal;
  readonly #isReading: () => boolean;
  readonly #calls = new Set<Promise<void>>();
  /** Places that requests of earlier runs are to answer, and their entries once these are read. */
  readonly #awaited = new Map<number, Entry<Input> | null>();
  #failure: { readonly error: unknown } | null = null;
  /** The one timer: when it fires, and how to cancel it. */
  #wakesMs = Infinity;
  #cancelTimer = (): void => {};
  #addedMs = 0;
  /** Requests under the caller's own key. */
  #keyed = 0;

  /** @param isReading more of the list is to come soon */
  constructor(means: Means, settled: Settled, journal: Journal, isReading: () => boolean) {
    this.#means = means;
    this.#settled = settled;
    this.#journal = journal;
    this.#isReading = isReading;
    this.sender = new Sender(means, settled, journal, () => this.advance());
    this.queue = new Queue(settled.maxCredits < Infinity);
  }

  /** What ends the run: nothing more is asked. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /** Nothing is in progress, and nothing is to be asked. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && this.queue.isEmpty;
  }

  /**
   * Asks for an entry of the list, unless an earlier run has its result, or its request, which goes first.
   * @throws RcptError LIST_CHANGED; what the journal throws
   */
  async admit(entry: Entry<Input>): Promise<void> {
    if (this.#awaited.has(entry.index)) this.#awaited.set(entry.index, entry);
    else this.#adopt(entry, await this.#journal.known(entry.index));
  }

  /** @param record what the journal knows of it */
  #adopt(entry: Entry<Input>, record: JournalRecord | null): void {
    const { clock } = this.#means.service;
    if (record !== null) {
      if (!answers(record.result, entry.email))
        throw new RcptError('LIST_CHANGED', `The journal has another address at position ${entry.index} of the list.`);
      entry.asked = record.asked;
      entry.result = record.result;
      this.#keep(entry, record.result, Math.max(0, clock.wallMs() - record.atMs));
    } else if (entry.bytes > BODY_BYTES_MAX / 2) {
      // Far beyond the 254 octets of an address, and nearly more than a request may hold.
      this.outbox.add(entry, notAnAddress(spelling(entry.email)));
      // The run may have ended during the look-up: what is added after that would never be asked.
    } else if (this.#failure === null) {
      this.#addedMs = clock.now();
      this.queue.add(entry);
    }
    this.advance();
  }

  /** Asks a deferred address again later, or takes its result as final. `agoMs`: when it was answered. */
  #keep(entry: Entry<Input>, result: OpenResult, agoMs: number): void {
    const { rounds, waitAtMostMs } = this.#settled;
    const waitMs = (result.retry_after ?? 0) * 1_000;
    const isAgain = isWorthAsking(result) && entry.asked < rounds && waitMs <= waitAtMostMs && this.#failure === null;
    if (isAgain) this.queue.defer(entry, this.#means.service.clock.now() + Math.max(0, waitMs - agoMs));
    else this.outbox.add(entry, entry.result ?? result);
  }

  /** Begins all requests that may begin now: to be called when something has changed. */
  advance(): void {
    if (this.#failure === null) {
      const { clock } = this.#means.service;
      this.queue.planDue(clock.now(), this.#isReading());
      // Time passes between two calls: a timer set by a later look at the clock could miss what became due in between.
      let opensMs = this.#opensMs();
      while (opensMs <= clock.now()) {
        const chunk = this.queue.nextChunk(this.sender.creditsLeft);
        // Without room for its domains it waits for an answer.
        if (chunk.length > 0) this.#track(this.#ask(chunk));
        opensMs = chunk.length > 0 ? this.#opensMs() : Infinity;
      }
      this.#meetCeiling();
      this.#wakeAt(Math.min(opensMs, this.queue.nextDueMs(this.#isReading())));
    }
    this.bell.ring();
  }

  /**
   * Ends the run: nothing more is asked, and what is known of planned addresses is final. Requests in progress end by
   * themselves. The first error counts.
   */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.sender.stop();
    this.#cancelTimer();
    for (const entry of this.queue.drain()) this.#putBack(entry);
    this.bell.ring();
  }

  /** Ends the run and what is in progress. Resolves when that has ended. */
  async abort(reason: unknown): Promise<void> {
    this.fail(reason);
    this.sender.abort(reason);
    await Promise.allSettled(this.#calls);
  }

  /** Repeats requests that earlier runs left open, under their keys. To be called before the first entry. */
  recover(requests: readonly JournalRequest[]): void {
    const entries = requests.reduce((sum, request) => sum + request.entries.length, 0);
    if (entries > this.sender.creditsLeft) {
      this.fail(new RcptError('CEILING', 'Interrupted requests may cost more than the ceiling has left.'));
      return;
    }
    for (const { index } of requests.flatMap((request) => request.entries)) this.#awaited.set(index, null);
    for (const request of requests) this.#track(this.#repeat(request));
  }

  async #repeat(request: JournalRequest): Promise<void> {
    const { entries } = request;
    const before = await Promise.all(entries.map(({ index }) => this.#journal.known(index)));
    const open = new Set<number>();
    for (const [place, { index, asked }] of entries.entries()) {
      const record = before[place] ?? null;
      // Some of them were answered before it was interrupted.
      if ((record?.asked ?? 0) <= asked) open.add(place);
      else this.#release(index, record);
    }
    const onAnswer = async (place: number, result: OpenResult): Promise<void> => {
      const entry = entries[place];
      if (entry === undefined) return;
      const known = better(before[place]?.result ?? null, result);
      this.#release(entry.index, await this.#record(entry.index, entry.asked + 1, known));
    };
    const error = await this.sender.send(request, onAnswer, open);
    // A body that the service refuses was never charged: its entries are asked anew, in smaller requests.
    if (error !== null && !isTooLarge(error)) this.fail(error);
    for (const [place, { index }] of entries.entries()) this.#release(index, before[place] ?? null);
  }

  /** No request of an earlier run is to answer this place any more. @param record what is known of it */
  #release(index: number, record: JournalRecord | null): void {
    const entry = this.#awaited.get(index) ?? null;
    this.#awaited.delete(index);
    if (entry !== null) this.#adopt(entry, record);
  }

  /** When the next request may begin; infinity if there is none, or if it does not wait for time. */
  #opensMs(): number {
    const { planned, isFull } = this.queue;
    const hasTurn = this.#calls.size - this.sender.waiting < this.#settled.inFlight;
    if (planned === 0 || !hasTurn || this.outbox.isFull) return Infinity;
    const lingersMs = isFull || !this.#isReading() ? 0 : this.#addedMs + LINGER_MS;
    return Math.max(this.#means.pace.nextMs, lingersMs);
  }

  /** It may fire too early and never fires too late. */
  #wakeAt(atMs: number): void {
    if (atMs >= this.#wakesMs) return;
    this.#cancelTimer();
    this.#wakesMs = atMs;
    const { clock } = this.#means.service;
    this.#cancelTimer = clock.after(Math.max(0, atMs - clock.now()), () => {
      this.#wakesMs = Infinity;
      this.advance();
    });
  }

  #meetCeiling(): void {
    if (this.sender.creditsLeft > 0 || this.#calls.size > 0) return;
    if (this.queue.firsts > 0)
      this.fail(new RcptError('CEILING', `The ceiling of credits (${this.#settled.maxCredits}) is reached.`));
    else for (const entry of this.queue.drain()) if (entry.result !== null) this.outbox.add(entry, entry.result);
  }

  #track(call: Promise<void>): void {
    this.#calls.add(call);
    const end = (): void => {
      this.#calls.delete(call);
      this.advance();
    };
    call.catch((error: unknown) => this.fail(error)).finally(end);
  }

  async #ask(chunk: readonly Entry<Input>[]): Promise<void> {
    const { clock } = this.#means.service;
    const startedMs = clock.now();
    const learnt = new Map<Entry<Input>, OpenResult>();
    const entries = chunk.map(({ index, email, asked }) => ({ index, email, asked }));
    const error = await this.sender.send(
      { key: this.#newKey(), atMs: clock.wallMs(), entries },
      async (place, result) => {
        const entry = chunk[place];
        if (entry === undefined) return;
        learnt.set(entry, result);
        await this.#take(entry, result);
      },
    );
    this.queue.noteEnd(chunk, learnt, clock.now() - startedMs);
    const mayDivide = chunk.length > 1 && this.#settled.idempotencyKey === null;
    if (mayDivide && isTooLarge(error)) this.queue.shrink(chunk.length);
    else if (error !== null) this.fail(error);
    for (const entry of chunk) if (!learnt.has(entry)) this.#putBack(entry);
  }

  /** The caller gets nothing that would be asked again after a crash, except a result that cannot be kept, with the error. */
  async #take(entry: Entry<Input>, result: OpenResult): Promise<void> {
    entry.asked += 1;
    entry.result = better(entry.result, result);
    await this.#record(entry.index, entry.asked, entry.result);
    this.#keep(entry, result, 0);
    this.bell.ring();
  }

  async #record(index: number, asked: number, result: OpenResult): Promise<JournalRecord> {
    const record = { index, asked, atMs: this.#means.service.clock.wallMs(), result };
    await this.#journal.append(record).catch((error: unknown) => this.fail(error));
    return record;
  }

  #putBack(entry: Entry<Input>): void {
    if (this.#failure === null) this.queue.add(entry);
    else if (entry.result !== null) this.outbox.add(entry, entry.result);
  }

  /**
   * The list's name with a number that no other request has; or the caller's own key, with the number of the request if the
   * bytes of the list fill several: the same list is always divided alike.
   */
  #newKey(): string {
    const { idempotencyKey, listId } = this.#settled;
    if (idempotencyKey === null) return `${listId}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
    this.#keyed += 1;
    return this.#keyed === 1 ? idempotencyKey : `${idempotencyKey}-${this.#keyed}`;
  }
}

/** An unprobed result does not replace one that learnt something. */
function better(known: OpenResult | null, result: OpenResult): OpenResult {
  return known !== null && isUnprobed(result) ? known : result;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RcptError && (error.code === 'TOO_MANY' || error.status === 413);
}
