import { Budget, type Hold } from './budget.ts';
import { ask, type CallResult } from '../wire/call.ts';
import type { Journal } from '../journal/journal.ts';
import { type Cost, type JournalRequest, NO_COST } from '../journal/requests.ts';
import type { Means } from '../wire/means.ts';
import { isUnprobed, type OpenResult } from '../../words/result.ts';
import { RcptError } from '../base/errors.ts';
import { Setbacks } from './setbacks.ts';
import type { Settled } from './options.ts';
import { sleepUntil } from '../base/sleep.ts';
import { isUnderWay, lapsed, stepAfter } from './step.ts';

/** A service forgets a key after 24 h; half an hour is for clocks that differ. */
const KEPT_MS = 84_600_000;
/** An attempt that was cut off is under way for 90 s at most, and its hold is returned two minutes after that. */
const CONFLICT_MOST_MS = 300_000;
const CONFLICT_LEAST_MS = 1_000;

/** One request on its way. */
export type Sending = {
  readonly request: JournalRequest;
  /** Places of the request that are not answered; those that are answered are taken out. */
  readonly open: Set<number>;
  /** An earlier run has sent it already. */
  readonly isRepeat: boolean;
  /** An entry is answered, the first time. Resolves when the answer will survive. */
  readonly hear: (place: number, result: OpenResult) => Promise<void>;
  /** It waits for an earlier attempt to end at the service: another request may have its turn. */
  readonly onWait?: () => void;
};

export type Outcome =
  /** Everything is answered, and the cost is known. */
  | { readonly kind: 'done' }
  /** Nothing was charged: what is not answered may be asked anew. `error` is null if it was not sent. */
  | { readonly kind: 'free'; readonly error: RcptError | null; readonly retryAfterMs: number }
  /** It will never be repeated. What is not answered may be asked anew; it says in `error` if that may pay twice. */
  | { readonly kind: 'lapsed'; readonly error: RcptError | null }
  /** The run ends, and a later one may repeat it. */
  | { readonly kind: 'open'; readonly error: unknown };

/** What a request has come to so far. */
type State = {
  /** Attempts that may have been charged without a bill. */
  lost: number;
  /** The next attempt may begin. */
  fromMs: number;
  /** Until then it is waited for an attempt that is still under way. */
  conflictsEndMs: number;
  /** Attempts in a row that learnt nothing. */
  readonly counted: { readonly bytes: 0; failures: number; failedAt: number };
};

/** Sends requests until each has its bill: one that is cut off goes out again under its key, which charges nothing twice. */
export class Sender {
  readonly #means: Means;
  readonly #settled: Settled;
  readonly #journal: Journal;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly setbacks: Setbacks;
  readonly budget: Budget;
  #requests = 0;
  #waiting = 0;
  #strayLines = 0;

  constructor(means: Means, settled: Settled, journal: Journal) {
    this.#means = means;
    this.#settled = settled;
    this.#journal = journal;
    this.setbacks = new Setbacks(means.maxRetries, settled.idempotencyKey === null);
    this.budget = new Budget(settled.maxCredits);
  }

  get requests(): number {
    return this.#requests;
  }

  /** Requests that wait for an earlier attempt to end at the service: others may go on meanwhile. */
  get waiting(): number {
    return this.#waiting;
  }

  get strayLines(): number {
    return this.#strayLines;
  }

  /** Repeats nothing more; what is under way ends by itself. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends what is under way. */
  abort(reason: unknown): void {
    this.stop();
    this.#abort.abort(reason);
  }

  /**
   * Resolves when the cost of a request is known, or nothing more can be done for it. The first attempt of a new one begins
   * at once: the caller has seen to the pace.
   */
  async send(sending: Sending): Promise<Outcome> {
    const { request, isRepeat } = sending;
    const entries = request.entries.length;
    const hold = this.budget.hold(entries);
    if (isRepeat) hold.doubt();
    let cost: Cost = { ...NO_COST, unsure: entries };
    try {
      const ended = await this.#sendUntilKnown(sending, hold);
      if (ended.cost !== null) await this.#journal.end(request.key, ended.cost);
      cost = ended.cost ?? cost;
      return ended.outcome;
    } catch (error) {
      return { kind: 'open', error };
    } finally {
      hold.settle(cost);
    }
  }

  /** @returns cost: null while it is not known and may come to be. @throws the signal's reason; what the journal throws */
  async #sendUntilKnown(sending: Sending, hold: Hold): Promise<{ outcome: Outcome; cost: Cost | null }> {
    const { request, open, isRepeat } = sending;
    const { clock } = this.#means.service;
    const counted = { bytes: 0, failures: 0, failedAt: 0 } as const;
    const state: State = { lost: isRepeat ? 1 : 0, fromMs: 0, conflictsEndMs: Infinity, counted: { ...counted } };
    const attempted = () => ({ entries: request.entries.length, unanswered: open.size, lost: state.lost });
    for (let isNew = !isRepeat; ; isNew = false) {
      if (!isNew && !(await this.#opensAgain(sending, state)))
        return { outcome: { kind: 'open', error: null }, cost: null };
      if (state.lost > 0 && clock.wallMs() - request.atMs > KEPT_MS)
        return { outcome: { kind: 'lapsed', error: null }, cost: lapsed(attempted(), null).cost };
      const before = open.size;
      const called = await this.#attempt(sending, isNew);
      if (called === null) return { outcome: { kind: 'free', error: null, retryAfterMs: 0 }, cost: NO_COST };
      if (open.size < before) this.setbacks.noteFruitful();
      const { error, retryAfterMs } = called;
      const step = stepAfter(attempted(), called);
      switch (step.kind) {
        case 'done':
          return { outcome: { kind: 'done' }, cost: step.cost };
        case 'free':
          return { outcome: { kind: 'free', error, retryAfterMs }, cost: NO_COST };
        case 'lapsed':
          return {
            outcome: { kind: 'lapsed', error: step.isPaidTwice ? paidTwice(open.size, error) : null },
            cost: step.cost,
          };
        case 'open':
          return { outcome: { kind: 'open', error }, cost: null };
        case 'wait':
        case 'repeat':
          if (step.kind === 'repeat' && step.isLost) state.lost += 1;
          if (state.lost > 0) hold.doubt();
          if (!this.#mayRepeat(state, called, open.size < before))
            return { outcome: { kind: 'open', error }, cost: null };
      }
    }
  }

  /** Whether the request goes out again, and from when on. */
  #mayRepeat(state: State, { error, retryAfterMs }: CallResult, isFruitful: boolean): boolean {
    const { service, pace } = this.#means;
    const nowMs = service.clock.now();
    if (error === null || this.#stop.signal.aborted) return false;
    if (isUnderWay(error)) {
      if (nowMs >= state.conflictsEndMs) return false;
      if (state.conflictsEndMs === Infinity) state.conflictsEndMs = nowMs + CONFLICT_MOST_MS;
      state.fromMs = nowMs + Math.max(retryAfterMs, CONFLICT_LEAST_MS);
      return true;
    }
    state.conflictsEndMs = Infinity;
    if (isFruitful) state.counted.failures = 0;
    const remedy = this.setbacks.remedyFor(error, [state.counted], isFruitful ? [] : [state.counted]);
    if (remedy.kind === 'rest') pace.rest(remedy.failures, retryAfterMs);
    return remedy.kind === 'rest';
  }

  async #opensAgain({ onWait }: Sending, { fromMs }: State): Promise<boolean> {
    if (fromMs <= this.#means.service.clock.now()) return this.#opens(fromMs);
    this.#waiting += 1;
    try {
      onWait?.();
      return await this.#opens(fromMs);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether another attempt may begin, once it may by the clock; false if the run has been stopped. */
  async #opens(fromMs: number): Promise<boolean> {
    const { service, pace } = this.#means;
    for (;;) {
      const opensMs = Math.max(fromMs, pace.nextMs);
      if (this.#stop.signal.aborted) return false;
      if (opensMs <= service.clock.now()) return true;
      await sleepUntil(service.clock, opensMs, this.#stop.signal);
    }
  }

  /** @returns null: the run was stopped before it was sent for the first time. @throws the signal's reason; what the journal throws */
  async #attempt({ request, open, hear }: Sending, isNew: boolean): Promise<CallResult | null> {
    const { service, pace } = this.#means;
    pace.begin();
    this.#requests += 1;
    try {
      if (isNew) await this.#journal.begin(request);
    } catch (error) {
      pace.hear(null);
      throw error;
    }
    if (isNew && this.#stop.signal.aborted) {
      pace.hear(null);
      return null;
    }
    const kept: Promise<void>[] = [];
    // An answer that learnt nothing costs nothing: it counts when the request has ended, and else it is asked again.
    const unprobed = new Map<number, OpenResult>();
    const take = (place: number, result: OpenResult): void => {
      if (open.delete(place)) kept.push(hear(place, result));
    };
    const emails = request.entries.map(({ email }) => email);
    const asked = { emails, waitS: this.#settled.waitS, idempotencyKey: request.key };
    try {
      const called = await ask(service, asked, this.#abort.signal, {
        onHead: (headers) => pace.hear(headers),
        onStrayLine: () => (this.#strayLines += 1),
        onOtherLine: (line) => this.#settled.onOtherLine(line),
        onResult: (place, result) => {
          if (isUnprobed(result)) unprobed.set(place, result);
          else take(place, result);
        },
      });
      if (called.bill !== null) for (const [place, result] of unprobed) take(place, result);
      return called;
    } finally {
      await Promise.all(kept);
    }
  }
}

function paidTwice(unanswered: number, cause: RcptError | null): RcptError {
  return new RcptError(
    'IDEMPOTENCY_LAPSED',
    `A request was interrupted too often, and ${unanswered} of its entries have no answer: to ask them again may cost up ` +
      `to ${unanswered} credits a second time.`,
    { cause, status: cause?.status ?? null, requestId: cause?.requestId ?? null },
  );
}
