import { ask, type CallResult } from '../wire/call.ts';
import type { Journal } from '../journal/journal.ts';
import { addCosts, type Cost, type JournalRequest, NO_COST } from '../journal/requests.ts';
import type { Means } from '../wire/service.ts';
import type { OpenResult } from '../../words/result.ts';
import { RcptError } from '../base/errors.ts';
import type { Settled } from './options.ts';
import { sleepUntil } from '../base/sleep.ts';
import { isInProgress, lapsed, stepAfter } from './step.ts';

/** The service forgets a key after 24 h; half an hour is for clocks that differ. */
const KEPT_MS = 84_600_000;
/** An attempt that was cut off lasts 90 s at most, and its hold is returned two minutes after that. */
const CONFLICT_MOST_MS = 300_000;
const CONFLICT_LEAST_MS = 1_000;

/** An entry of a request has its answer. Resolves when that will survive. */
type OnAnswer = (place: number, result: OpenResult) => Promise<void>;

/** One request in progress. */
type Sending = {
  readonly request: JournalRequest;
  readonly onAnswer: OnAnswer;
  /** Places of the request without an answer. */
  readonly open: Set<number>;
  /** In this run. */
  attempts: number;
  /** Attempts that may have been charged, and whose bill was not read. */
  lost: number;
  /** Its failures in a row, and how much the run had learnt at the last of them. */
  failures: number;
  learnt: number;
  /** The next attempt may begin. */
  fromMs: number;
  /** How long to wait for an attempt that the service still works on. */
  conflictsEndMs: number;
};

/** How a request ended. Cost null: only a later attempt can say. Without an error, unanswered entries may be asked anew. */
type Ended = { readonly cost: Cost | null; readonly error: unknown };

/**
 * Sends the requests of a run until the cost of each is known. One that fails goes out again under its key, for which the
 * service charges each entry once. Counts credits so that the ceiling always holds.
 */
export class Sender {
  readonly #means: Means;
  readonly #settled: Settled;
  readonly #journal: Journal;
  readonly #onWait: () => void;
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #sendings = new Set<Sending>();
  #spent = NO_COST;
  #attempts = 0;
  /** Results of all requests. */
  #learnt = 0;

  /** @param onWait called when a request waits for its earlier attempt, so that another may have its turn */
  constructor(means: Means, settled: Settled, journal: Journal, onWait: () => void) {
    this.#means = means;
    this.#settled = settled;
    this.#journal = journal;
    this.#onWait = onWait;
  }

  get attempts(): number {
    return this.#attempts;
  }

  /** Requests that wait until the service has ended an earlier attempt. */
  get waiting(): number {
    const nowMs = this.#means.service.clock.now();
    return [...this.#sendings].filter(({ fromMs }) => fromMs > nowMs).length;
  }

  /** `unconfirmed`: what requests without a bill may have cost besides. */
  get spent(): Cost {
    const lost = [...this.#sendings].filter((sending) => sending.lost > 0);
    return addCosts(this.#spent, { ...NO_COST, unconfirmed: entriesOf(lost) });
  }

  /** Credits that may be spent now: until its cost is known, a request counts with all its entries. */
  get creditsLeft(): number {
    return this.#settled.maxCredits - this.#spent.charged - this.#spent.unconfirmed - entriesOf([...this.#sendings]);
  }

  /** Counts what earlier runs have spent. */
  addSpent(cost: Cost): void {
    this.#spent = addCosts(this.#spent, cost);
  }

  /** Begins no further attempt. */
  stop(): void {
    this.#stop.abort();
  }

  /** Ends what is in progress. */
  abort(reason: unknown): void {
    this.stop();
    this.#abort.abort(reason);
  }

  /**
   * Sends a request until its cost is known, or nothing more can be done for it. The first attempt of a new one begins at
   * once: the caller has checked the pace.
   * @param unanswered of a request that an earlier run has sent: the places without an answer
   * @returns what went wrong; null: entries without an answer may be asked anew
   */
  async send(request: JournalRequest, onAnswer: OnAnswer, unanswered: Set<number> | null = null): Promise<unknown> {
    const open = unanswered ?? new Set(request.entries.keys());
    const lost = unanswered === null ? 0 : 1;
    const sending = {
      request,
      onAnswer,
      open,
      attempts: 0,
      lost,
      failures: 0,
      learnt: 0,
      fromMs: 0,
      conflictsEndMs: Infinity,
    };
    this.#sendings.add(sending);
    let cost: Cost = { ...NO_COST, unconfirmed: request.entries.length };
    try {
      const ended = await this.#sendUntilKnown(sending);
      if (ended.cost !== null) await this.#journal.end(request.key, ended.cost);
      cost = ended.cost ?? cost;
      return ended.error;
    } catch (error) {
      return error;
    } finally {
      this.#sendings.delete(sending);
      this.addSpent(cost);
    }
  }

  /** @throws the signal's reason; what the journal throws */
  async #sendUntilKnown(sending: Sending): Promise<Ended> {
    const { request, open } = sending;
    const { clock } = this.#means.service;
    const attempted = () => ({ entries: request.entries.length, unanswered: open.size, lost: sending.lost });
    // If it ends before the next attempt.
    let cost: Cost | null = null;
    for (let isNew = sending.lost === 0; ; isNew = false) {
      if (!isNew && !(await this.#opens(sending.fromMs))) return { cost, error: null };
      if (sending.lost > 0 && clock.wallMs() - request.atMs > KEPT_MS)
        return { cost: lapsed(attempted(), null).cost, error: null };
      const before = open.size;
      const called = await this.#attempt(sending, isNew);
      const { error } = called;
      const step = stepAfter(attempted(), called);
      if (step.kind === 'ended')
        return { cost: step.cost, error: step.isPaidTwice ? paidTwice(open.size, error) : null };
      if (step.isLost) sending.lost += 1;
      cost = step.cost;
      if (!this.#mayRepeat(sending, called, open.size < before)) return { cost, error };
    }
  }

  /** Whether the request goes out again, and from when on. */
  #mayRepeat(sending: Sending, { error, retryAfterMs }: CallResult, hasLearnt: boolean): boolean {
    const { service, pace, maxRetries } = this.#means;
    const nowMs = service.clock.now();
    if (error === null || !error.retryable || this.#stop.signal.aborted) return false;
    if (isInProgress(error)) {
      if (nowMs >= sending.conflictsEndMs) return false;
      sending.conflictsEndMs = Math.min(sending.conflictsEndMs, nowMs + CONFLICT_MOST_MS);
      sending.fromMs = nowMs + Math.max(retryAfterMs, CONFLICT_LEAST_MS);
      this.#onWait();
      return true;
    }
    sending.conflictsEndMs = Infinity;
    // While other requests get results, this one is only waiting for its turn.
    if (sending.learnt !== this.#learnt) sending.failures = 0;
    sending.learnt = this.#learnt;
    if (!hasLearnt) sending.failures += 1;
    if (sending.failures > maxRetries) return false;
    pace.rest(Math.max(1, sending.failures), retryAfterMs);
    return true;
  }

  /** Whether another attempt may begin, once time and pace allow it; false if the run has been stopped. */
  async #opens(fromMs: number): Promise<boolean> {
    const { service, pace } = this.#means;
    for (;;) {
      const opensMs = Math.max(fromMs, pace.nextMs);
      if (this.#stop.signal.aborted) return false;
      if (opensMs <= service.clock.now()) return true;
      await sleepUntil(service.clock, opensMs, this.#stop.signal);
    }
  }

  /** @throws the signal's reason; what the journal throws */
  async #attempt(sending: Sending, isNew: boolean): Promise<CallResult> {
    const { request, open, onAnswer } = sending;
    this.#attempts += 1;
    sending.attempts += 1;
    const kept: Promise<void>[] = [];
    const take = (place: number, result: OpenResult): void => {
      if (!open.delete(place)) return;
      this.#learnt += 1;
      kept.push(onAnswer(place, result));
    };
    try {
      if (isNew) await this.#journal.begin(request);
      const emails = request.entries.map(({ email }) => email);
      const asked = { emails, waitS: this.#settled.waitS, idempotencyKey: request.key, attempt: sending.attempts };
      return await ask(this.#means.service, asked, this.#abort.signal, take);
    } finally {
      await Promise.all(kept);
    }
  }
}

function entriesOf(sendings: readonly Sending[]): number {
  return sendings.reduce((sum, { request }) => sum + request.entries.length, 0);
}

function paidTwice(unanswered: number, cause: RcptError | null): RcptError {
  return new RcptError(
    'IDEMPOTENCY_LAPSED',
    `A request was interrupted too often. Asking again for what it left unanswered may cost ${unanswered} of its credits a ` +
      'second time.',
    { cause, status: cause?.status ?? null, requestId: cause?.requestId ?? null },
  );
}
