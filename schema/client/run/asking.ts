import { Alarm } from './alarm.ts';
import { Budget } from './budget.ts';
import { ask, type CallResult } from '../wire/call.ts';
import type { Entry } from '../list/entry.ts';
import { RcptError } from '../base/errors.ts';
import type { OtherLine } from '../wire/read-line.ts';
import type { Settled } from './options.ts';
import { Plan } from './plan.ts';
import { isUnprobed, isWorthAsking, type OpenResult } from '../../words/result.ts';
import type { Means } from '../wire/means.ts';
import { Setbacks } from './setbacks.ts';
import { Shares } from './shares.ts';
import { Waiting } from './waiting.ts';

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

/** How long a request that is not full waits for a list that is still being read. */
const LINGER_MS = 200;

/** The requests of one run: which addresses go when, again, and for how many credits. */
export class Asking<Input> {
  readonly #means: Means;
  readonly #settled: Settled;
  readonly #run: Run<Input>;
  readonly #plan = new Plan<Input>();
  readonly #waiting = new Waiting<Entry<Input>>();
  readonly #shares = new Shares();
  readonly #setbacks: Setbacks;
  readonly #alarm: Alarm;
  readonly #stop = new AbortController();
  readonly #calls = new Set<Promise<void>>();
  readonly budget: Budget;
  #isStopped = false;
  #addedMs = 0;
  #requests = 0;
  #strayLines = 0;

  constructor(means: Means, settled: Settled, run: Run<Input>) {
    this.#means = means;
    this.#settled = settled;
    this.#run = run;
    this.#setbacks = new Setbacks(means.maxRetries);
    this.budget = new Budget(settled.maxCredits);
    this.#alarm = new Alarm(means.service.clock, () => this.advance());
  }

  /** Addresses that are to be asked, now or later. */
  get planned(): number {
    return this.#plan.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get requests(): number {
    return this.#requests;
  }

  get strayLines(): number {
    return this.#strayLines;
  }

  /** Nothing is under way, planned or waiting. */
  get isIdle(): boolean {
    return this.#calls.size === 0 && this.#plan.size === 0 && this.#waiting.size === 0;
  }

  add(entry: Entry<Input>): void {
    this.#addedMs = this.#means.service.clock.now();
    this.#plan.add(entry);
  }

  /** Asks again later what was put off, or takes its result for final. `agoMs`: when it was answered. */
  keep(entry: Entry<Input>, result: OpenResult, agoMs: number): void {
    const { rounds, waitAtMostMs } = this.#settled;
    const waitMs = (result.retry_after ?? 0) * 1_000;
    const isAgain = isWorthAsking(result) && entry.asked < rounds && waitMs <= waitAtMostMs && !this.#isStopped;
    if (isAgain) this.#waiting.add(entry, this.#means.service.clock.now() + Math.max(0, waitMs - agoMs));
    else this.#run.onFinal(entry, entry.result ?? result);
  }

  /** Does all that can be done now: to be called when something has changed. */
  advance(): void {
    if (!this.#isStopped) {
      this.#takeDue();
      // Looked at once for each turn: what is due in between must neither be asked for nor be missed by the alarm.
      let opensMs = this.#opensMs();
      while (opensMs <= this.#means.service.clock.now()) {
        const { room } = this.#setbacks;
        const entries = Math.min(room.entries, this.budget.left);
        const chunk = this.#plan.nextChunk({ ...room, entries }, (domain) => this.#shares.roomFor(domain));
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
      if (this.#mayRepeat()) this.#alarm.set(this.#waiting.nextMs);
      if (opensMs < Infinity) this.#alarm.set(opensMs);
    }
    this.#run.onChange();
  }

  /** Asks nothing more. What is known of planned addresses is final; what is under way ends by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.clear();
    for (const entry of [...this.#plan.drain(), ...this.#waiting.removeDue(Infinity)]) this.#putBack(entry);
  }

  /** Ends what is under way. Resolves when it has. */
  async abort(reason: unknown): Promise<void> {
    this.stop();
    this.#stop.abort(reason);
    await Promise.allSettled(this.#calls);
  }

  /** When the next request may begin; Infinity if there is none, or if it waits for something else than time. */
  #opensMs(): number {
    if (!this.#hasWork()) return Infinity;
    const isFull = this.#plan.size >= this.#setbacks.room.entries || this.#run.reading() !== 'going';
    return Math.max(this.#means.pace.nextMs, isFull ? 0 : this.#addedMs + LINGER_MS);
  }

  #hasWork(): boolean {
    return this.#plan.size > 0 && this.#calls.size < this.#settled.inFlight && !this.#run.isBehind();
  }

  #takeDue(): void {
    if (!this.#mayRepeat()) return;
    for (const entry of this.#waiting.removeDue(this.#means.service.clock.now())) this.#plan.add(entry);
  }

  /** Under a ceiling nothing is asked twice while something was not asked once, unless there is no room to read on. */
  #mayRepeat(): boolean {
    if (this.#waiting.size === 0) return false;
    return this.#settled.maxCredits === Infinity || (this.#plan.firsts === 0 && this.#run.reading() !== 'going');
  }

  #meetCeiling(): void {
    if (this.budget.left > 0 || this.#calls.size > 0) return;
    if (this.#plan.firsts > 0) {
      const { maxCredits } = this.#settled;
      this.#run.onFailure(new RcptError('CEILING', `The ceiling of ${maxCredits} credits is reached.`));
      return;
    }
    for (const entry of [...this.#plan.drain(), ...this.#waiting.removeDue(Infinity)])
      if (entry.result !== null) this.#run.onFinal(entry, entry.result);
  }

  async #call(chunk: readonly Entry<Input>[]): Promise<void> {
    const { service, pace } = this.#means;
    const startedMs = service.clock.now();
    const domains = chunk.map(({ domain }) => domain);
    const heard = new Map<Entry<Input>, OpenResult>();
    const kept: Promise<void>[] = [];
    this.#requests += 1;
    this.#shares.begin(domains);
    this.budget.hold(chunk.length);
    pace.begin();
    let called: CallResult | null = null;
    try {
      const emails = chunk.map(({ email }) => email);
      called = await ask(service, { emails, waitS: this.#settled.waitS }, this.#stop.signal, {
        onHead: (headers) => pace.hear(headers),
        onStrayLine: () => (this.#strayLines += 1),
        onOtherLine: (line) => this.#passOn(line),
        onResult: (index, result) => {
          const entry = chunk[index];
          if (entry === undefined) return;
          heard.set(entry, result);
          kept.push(this.#hear(entry, result));
        },
      });
    } catch (error) {
      this.#run.onFailure(error);
    }
    await Promise.all(kept);
    this.budget.settle(chunk.length, called?.bill ?? null);
    this.#shares.end(domains, heard, service.clock.now() - startedMs);
    if (heard.size > 0) this.#setbacks.noteFruitful();
    const rest = chunk.filter((entry) => !heard.has(entry));
    if (called !== null) this.#learn(called, chunk, rest);
    for (const entry of rest) this.#putBack(entry);
  }

  /** The caller's own function: what it throws ends the run, and not the reading of this answer. */
  #passOn(line: OtherLine): void {
    try {
      this.#settled.onOtherLine(line);
    } catch (error) {
      this.#run.onFailure(error);
    }
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

  #learn({ error, retryAfterMs }: CallResult, chunk: readonly Entry<Input>[], rest: readonly Entry<Input>[]): void {
    if (error === null) return;
    const remedy = this.#setbacks.remedyFor(error, chunk, rest);
    if (remedy.kind === 'fail') this.#run.onFailure(error);
    if (remedy.kind === 'rest') this.#means.pace.rest(remedy.failures, retryAfterMs);
  }

  #putBack(entry: Entry<Input>): void {
    if (!this.#isStopped) this.#plan.add(entry);
    else if (entry.result !== null) this.#run.onFinal(entry, entry.result);
  }
}
