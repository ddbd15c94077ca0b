import type { Entry } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import type { Settled } from './options.ts';
import { isUnprobed, isWorthAsking, type OpenResult } from '../../words/result.ts';
import type { Means } from '../wire/means.ts';
import type { Outcome, Sender } from './sender.ts';
import type { Queue } from './queue.ts';
import type { RequestEntry } from '../journal/requests.ts';

/** The run that the requests are made for. */
export type Run<Input> = {
  /** How reading is: the list has ended, there is no room for more of it, or more is to come. */
  readonly reading: () => 'ended' | 'full' | 'going';
  /** The caller takes results more slowly than they come. */
  readonly isBehind: () => boolean;
  /** An address was answered. Resolves when the answer will survive. */
  readonly onAnswer: (entry: Entry<Input>) => Promise<void>;
  /** This is its last answer. */
  readonly onFinal: (entry: Entry<Input>, result: OpenResult) => void;
  /** Nothing more is asked. */
  readonly onFailure: (error: unknown) => void;
  /** Something is different. */
  readonly onChange: () => void;
};

/** What the requests are made of and for. */
type Parts<Input> = { readonly queue: Queue<Input>; readonly sender: Sender; readonly run: Run<Input> };

/** How long a request that is not full waits for a list that is still being read. */
const LINGER_MS = 200;
/** Longer is more than a timer of 32 bits can wait. */
const LONGEST_MS = 86_400_000;

/** The requests of one run: when each begins, what it learns, and what is asked again. */
export class Asking<Input> {
  readonly #means: Means;
  readonly #settled: Settled;
  readonly #run: Run<Input>;
  readonly #queue: Queue<Input>;
  readonly #sender: Sender;
  readonly #keys: () => string;
  readonly #calls = new Set<Promise<void>>();
  #isStopped = false;
  /** The one timer: when it wakes, and how to call it off. */
  #wakesMs = Infinity;
  #callOff = (): void => {};
  #addedMs = 0;

  constructor(means: Means, settled: Settled, parts: Parts<Input>) {
    this.#means = means;
    this.#settled = settled;
    this.#queue = parts.queue;
    this.#sender = parts.sender;
    this.#keys = keysOf(settled);
    this.#run = parts.run;
  }

  /** Nothing is under way, and nothing is to be asked. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && this.#queue.isEmpty;
  }

  add(entry: Entry<Input>): void {
    this.#addedMs = this.#means.service.clock.now();
    this.#queue.add(entry);
  }

  /** Asks again later what was put off, or takes its result for final. `agoMs`: when it was answered. */
  keep(entry: Entry<Input>, result: OpenResult, agoMs: number): void {
    const { rounds, waitAtMostMs } = this.#settled;
    const waitMs = (result.retry_after ?? 0) * 1_000;
    const isAgain = isWorthAsking(result) && entry.asked < rounds && waitMs <= waitAtMostMs && !this.#isStopped;
    if (isAgain) this.#queue.putOff(entry, this.#means.service.clock.now() + Math.max(0, waitMs - agoMs));
    else this.#run.onFinal(entry, entry.result ?? result);
  }

  /** Does all that can be done now: to be called when something has changed. */
  advance(): void {
    if (!this.#isStopped) {
      this.#queue.planDue(this.#means.service.clock.now(), this.#isReading);
      // Looked at once for each turn: what is due in between must neither be asked for nor be missed by the alarm.
      let opensMs = this.#opensMs();
      while (opensMs <= this.#means.service.clock.now()) {
        const { room } = this.#sender.setbacks;
        const entries = Math.min(room.entries, this.#sender.budget.left);
        const chunk = this.#queue.nextChunk({ ...room, entries });
        if (chunk.length === 0) {
          // Room for its domains comes with an answer.
          opensMs = Infinity;
          break;
        }
        const call = this.#call(chunk);
        this.#calls.add(call);
        void call.finally(() => {
          this.#calls.delete(call);
          this.advance();
        });
        opensMs = this.#opensMs();
      }
      this.#meetCeiling();
      this.#wakeAt(Math.min(opensMs, this.#queue.nextDueMs(this.#isReading)));
    }
    this.#run.onChange();
  }

  /** Asks nothing more. What is known of planned addresses is final; what is under way ends by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#sender.stop();
    this.#callOff();
    for (const entry of this.#queue.drain()) this.#putBack(entry);
  }

  /** Ends what is under way. Resolves when it has. */
  async abort(reason: unknown): Promise<void> {
    this.stop();
    this.#sender.abort(reason);
    await Promise.allSettled(this.#calls);
  }

  get #isReading(): boolean {
    return this.#run.reading() === 'going';
  }

  /** When the next request may begin; infinity if there is none, or if it waits for something else than time. */
  #opensMs(): number {
    const { planned } = this.#queue;
    const hasTurn = this.#calls.size - this.#sender.waiting < this.#settled.inFlight;
    if (planned === 0 || !hasTurn || this.#run.isBehind()) return Infinity;
    const isFull = planned >= this.#sender.setbacks.room.entries || !this.#isReading;
    return Math.max(this.#means.pace.nextMs, isFull ? 0 : this.#addedMs + LINGER_MS);
  }

  /** It may wake too early and never wakes too late. */
  #wakeAt(atMs: number): void {
    if (atMs >= this.#wakesMs) return;
    this.#callOff();
    this.#wakesMs = atMs;
    const { clock } = this.#means.service;
    this.#callOff = clock.after(Math.min(LONGEST_MS, Math.max(0, atMs - clock.now())), () => {
      this.#wakesMs = Infinity;
      this.advance();
    });
  }

  #meetCeiling(): void {
    if (this.#sender.budget.left > 0 || this.#calls.size > 0) return;
    if (this.#queue.firsts > 0) {
      const { maxCredits } = this.#settled;
      this.#run.onFailure(new RcptError('CEILING', `The ceiling of ${maxCredits} credits is reached.`));
      return;
    }
    for (const entry of this.#queue.drain()) if (entry.result !== null) this.#run.onFinal(entry, entry.result);
  }

  async #call(chunk: readonly Entry<Input>[]): Promise<void> {
    const { clock } = this.#means.service;
    const startedMs = clock.now();
    const heard = new Map<Entry<Input>, OpenResult>();
    const outcome = await this.#sender.send({
      request: { key: this.#keys(), atMs: clock.wallMs(), entries: chunk.map(entryOf) },
      open: new Set(chunk.keys()),
      isRepeat: false,
      onWait: () => this.advance(),
      hear: async (place, result) => {
        const entry = chunk[place];
        if (entry === undefined) return;
        heard.set(entry, result);
        await this.#hear(entry, result);
      },
    });
    this.#queue.noteEnd(chunk, heard, clock.now() - startedMs);
    const rest = chunk.filter((entry) => !heard.has(entry));
    this.#learn(outcome, chunk, rest);
    for (const entry of rest) this.#putBack(entry);
  }

  /** The caller gets nothing that would be asked again after a crash; of a result that cannot be kept, the error too. */
  async #hear(entry: Entry<Input>, result: OpenResult): Promise<void> {
    entry.asked += 1;
    entry.failures = 0;
    // A result that learnt nothing does not replace one that did.
    if (entry.result === null || !isUnprobed(result)) entry.result = result;
    try {
      await this.#run.onAnswer(entry);
    } catch (error) {
      this.#run.onFailure(error);
    }
    this.keep(entry, result, 0);
    this.#run.onChange();
  }

  #learn(outcome: Outcome, chunk: readonly Entry<Input>[], rest: readonly Entry<Input>[]): void {
    if (outcome.kind === 'done' || outcome.error === null) return;
    if (outcome.kind !== 'free') {
      this.#run.onFailure(outcome.error);
      return;
    }
    const remedy = this.#sender.setbacks.remedyFor(outcome.error, chunk, rest);
    if (remedy.kind === 'fail') this.#run.onFailure(outcome.error);
    if (remedy.kind === 'rest') this.#means.pace.rest(remedy.failures, outcome.retryAfterMs);
  }

  #putBack(entry: Entry<Input>): void {
    if (!this.#isStopped) this.#queue.add(entry);
    else if (entry.result !== null) this.#run.onFinal(entry, entry.result);
  }
}

function entryOf({ index, email, asked }: Entry<unknown>): RequestEntry {
  return { index, email, asked };
}

/** The keys of a run's requests: the caller's own, or the list's name with a number that no other run of it has. */
function keysOf({ idempotencyKey, listId }: Settled): () => string {
  return () => idempotencyKey ?? `${listId}-${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
}
