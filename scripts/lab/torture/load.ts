import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson } from '../../../schema/parse-json.ts';
import type { Customer } from './accounts.ts';
import { isRefused, judge, newList, type Price, priceOf } from './lists.ts';

// Callers, each with one list after the other. One whose call breaks off or fails asks again for the same list, under the
// same Idempotency-Key. If the service lost the call, the key is free only once its hold was swept: meanwhile the caller
// goes on with the next list, so that there is load to break.

/** What became of a list. */
export type Asked = {
  readonly emails: readonly string[];
  /** How often it was sent: once, and again after each call that broke off or failed. */
  readonly calls: number;
  /** From first sending to the answer; what is lost with a Worker is answered once its hold was swept. */
  readonly tookMs: number;
};

/**
 * An answer of 200 that came whole, for the audit of the ledgers. `before`: what it says that earlier calls with its key
 * cost.
 */
export type Answered = { readonly batchId: string; readonly price: Price; readonly before: number };

export type LoadFigures = {
  readonly asked: readonly Asked[];
  readonly answered: readonly Answered[];
  /** Answers of 500: whole, and nothing may be charged. */
  readonly failed: ReadonlySet<string>;
  /** How many calls ended without a whole answer. */
  readonly brokenOff: number;
  /** Addresses whose time ran out. */
  readonly timedOut: number;
  /** What no caller should ever get, a line each. */
  readonly faults: readonly string[];
};

export type LoadPlan = {
  readonly url: string;
  readonly customers: readonly [Customer, ...Customer[]];
  /** Callers, and so batches under way at any time. */
  readonly inFlight: number;
  /** Entries of a list. */
  readonly entries: number;
  /** How long the service may take for a batch. */
  readonly deadlineMs: number;
  /** A caller sends a list this often, or as soon as it has its answer if that takes longer. They begin one after another. */
  readonly everyMs: number;
  readonly isPaced: boolean;
  /** 500 is an answer while what serves is killed. */
  readonly mayFail: boolean;
};

const AFTER_BREAK_MS = 100;
/** Sooner than callers are told to, so that a run ends soon after the sweep. */
const BUSY_MOST_MS = 2_000;
const CALLS_MAX = 300;
/** What an answer may take besides the deadline. */
const GRACE_MS = 10_000;
/** A host ends this long before the edge, at most. */
const EARLY_MS = 3_000;

const resultsSchema = z.array(z.object({ email: z.string(), result: z.string(), reason: z.string().nullable() }));

type Sent = {
  readonly status: number;
  readonly batchId: string;
  readonly text: string;
  readonly before: number;
  readonly retryAfterMs: number;
};

/** A list with what its calls have in common. */
type Errand = { readonly customer: Customer; readonly emails: readonly string[]; readonly key: string };
/** What came of a call. */
type End = 'answered' | 'to be repeated' | { readonly busyForMs: number };

export class Load {
  readonly #plan: LoadPlan;
  readonly #end = new AbortController();
  readonly #ended: Promise<unknown>;
  readonly #figures = {
    asked: new Array<Asked>(),
    answered: new Array<Answered>(),
    failed: new Set<string>(),
    faults: new Array<string>(),
    brokenOff: 0,
    timedOut: 0,
  };
  #lists = 0;
  /** Lists that are asked for again while their callers went on. */
  readonly #later: Promise<void>[] = [];

  /** Starts the callers. */
  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#ended = Promise.all(Array.from({ length: plan.inFlight }, (_, lane) => this.#caller(lane)));
    // Looked at when the load is stopped.
    this.#ended.catch(() => undefined);
  }

  /** As far as it got. */
  get figures(): LoadFigures {
    return this.#figures;
  }

  /** Ends the callers once they have their answers. @throws Error if the service was away for good */
  async stop(): Promise<LoadFigures> {
    this.#end.abort();
    await this.#ended;
    // Each may leave another one behind.
    for (let done = 0; done < this.#later.length; done += 1) await this.#later[done];
    return this.#figures;
  }

  async #caller(lane: number): Promise<void> {
    const { customers, inFlight, everyMs, isPaced, entries } = this.#plan;
    const customer = customers[lane % customers.length] ?? customers[0];
    await sleep((everyMs * lane) / inFlight);
    while (!this.#end.signal.aborted) {
      // At a steady rate every other list has nothing to wait for: how long it takes tells of the service alone.
      const emails = newList(this.#lists, entries, !isPaced || this.#lists % 2 === 0);
      this.#lists += 1;
      const begunAt = performance.now();
      await this.#askUntilBusy({ customer, emails, key: `list-${this.#lists}` }, 1);
      const restMs = isPaced ? everyMs - (performance.now() - begunAt) : 0;
      if (restMs > 0) await sleep(restMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
    }
  }

  /** Asks until there is an answer; if the service still has the key, others go on with that beside this. */
  async #askUntilBusy(errand: Errand, first: number, begunAt = performance.now()): Promise<void> {
    for (let calls = first; calls <= CALLS_MAX; calls += 1) {
      const end = await this.#ask(errand);
      if (end === 'answered') {
        this.#figures.asked.push({ emails: errand.emails, calls, tookMs: performance.now() - begunAt });
        return;
      }
      if (end !== 'to be repeated') {
        // A call that was refused has asked no mail server.
        const later = sleep(end.busyForMs).then(() => this.#askUntilBusy(errand, calls, begunAt));
        later.catch(() => undefined);
        this.#later.push(later);
        return;
      }
      await sleep(AFTER_BREAK_MS);
    }
    throw new Error(`the edge is away: ${CALLS_MAX} calls in a row broke off`);
  }

  async #ask({ customer, emails, key }: Errand): Promise<End> {
    const { url, deadlineMs, mayFail } = this.#plan;
    const begunAt = performance.now();
    const sent = await send(url, { key: customer.key, list: key }, emails, deadlineMs + GRACE_MS);
    const tookMs = performance.now() - begunAt;
    if (sent === 'broke off') {
      this.#figures.brokenOff += 1;
      return 'to be repeated';
    }
    if (sent === 'silence') {
      this.#fault(`no answer in ${Math.round(tookMs)} ms`);
      return 'answered';
    }
    if (sent.status === 409 && mayFail) return { busyForMs: Math.min(sent.retryAfterMs, BUSY_MOST_MS) };
    if (sent.status === 500 && mayFail) {
      this.#figures.failed.add(sent.batchId);
      return 'to be repeated';
    }
    this.#judge(sent, emails, tookMs);
    return 'answered';
  }

  #judge({ status, batchId, text, before }: Sent, emails: readonly string[], tookMs: number): void {
    const results = resultsSchema.safeParse(parseJson(text));
    if (status !== 200 || !results.success) {
      this.#fault(`status ${status} after ${Math.round(tookMs)} ms: ${text.slice(0, 200)}`);
      return;
    }
    this.#figures.answered.push({ batchId, price: priceOf(results.data), before });
    if (results.data.length !== emails.length) this.#fault(`${emails.length} entries, ${results.data.length} results`);
    for (const [at, one] of results.data.entries()) {
      const kind = judge(one);
      if (one.email !== emails[at]) this.#fault(`element ${at} answers another entry`);
      // A host that was refused rests the server, and says at once if that is longer than a batch has.
      else if (kind === 'late' && isRefused(one.email)) continue;
      else if (kind === 'late' && tookMs >= this.#plan.deadlineMs - EARLY_MS) this.#figures.timedOut += 1;
      else if (kind !== 'true') {
        const name = one.email.replace(/\d.*@/, '…@');
        this.#fault(`${one.result}, ${one.reason} for ${name} after ${Math.round(tookMs)} ms`);
      }
    }
  }

  #fault(what: string): void {
    this.#figures.faults.push(what);
  }
}

async function send(
  url: string,
  { key, list }: { readonly key: string; readonly list: string },
  emails: readonly string[],
  withinMs: number,
): Promise<Sent | 'broke off' | 'silence'> {
  try {
    const answer = await fetch(new URL('/api/v1/verify', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': list },
      body: JSON.stringify({ emails }),
      signal: AbortSignal.timeout(withinMs),
    });
    const { status, headers } = answer;
    const batchId = headers.get('x-request-id') ?? '';
    const before = Number(headers.get('idempotency-charged') ?? Number.NaN);
    const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1_000;
    return { status, batchId, before, retryAfterMs, text: await answer.text() };
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silence' : 'broke off';
  }
}
