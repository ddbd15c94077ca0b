import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { parseJson } from '../../../schema/parse-json.ts';
import { type Answered, type Customer, priceOf, resultsSchema } from '../kill/load.ts';
import { newList, truthOf } from './addresses.ts';

// So many callers at once, each with one batch after the other. One whose call breaks off asks again for the same list.

/** What became of a list. */
export type Asked = {
  readonly emails: readonly string[];
  /** How often it was sent: once, and again after each call that broke off. */
  readonly calls: number;
  /** From first sending to the answer. */
  readonly tookMs: number;
};

export type Load = {
  /** Ends the callers once they have their answers. */
  readonly stop: () => Promise<void>;
  readonly asked: readonly Asked[];
  /** Answers of 200, for the audit of the ledgers. */
  readonly answered: readonly Answered[];
  /** Addresses whose time ran out. */
  readonly timedOut: () => number;
  readonly brokenOff: () => number;
  /** What no caller should ever get, a line each. */
  readonly faults: readonly string[];
};

export type LoadPlan = {
  readonly url: string;
  readonly customers: readonly [Customer, ...Customer[]];
  /** Batches under way at any time. */
  readonly inFlight: number;
  readonly addresses: number;
  /** How long the service may take for a batch. */
  readonly deadlineMs: number;
  /** So that not all begin at once. */
  readonly rampMs: number;
};

const AFTER_BREAK_MS = 100;
const CALLS_MAX = 300;
/** What an answer may take besides the deadline. */
const GRACE_MS = 10_000;
/** A host ends so long before the edge, at most. */
const EARLY_MS = 3_000;

export function startLoad(plan: LoadPlan): Load {
  const asked: Asked[] = [];
  const answered: Answered[] = [];
  const faults: string[] = [];
  let [timedOut, brokenOff, lists] = [0, 0, 0];
  const end = new AbortController();

  function judge(results: z.infer<typeof resultsSchema>, emails: readonly string[], tookMs: number): void {
    if (results.length !== emails.length) faults.push(`${emails.length} addresses, ${results.length} results`);
    for (const [at, { email, result, reason }] of results.entries()) {
      const isLate = tookMs >= plan.deadlineMs - EARLY_MS;
      if (email !== emails[at]) faults.push(`element ${at} answers another entry`);
      else if (result === truthOf(email)) continue;
      else if (result === 'unknown' && reason === 'timeout' && isLate) timedOut += 1;
      else faults.push(`${result}, ${reason} after ${Math.round(tookMs)} ms for what is ${truthOf(email)}`);
    }
  }

  /** @returns whether there was an answer; false: the call broke off */
  async function call(customer: Customer, emails: readonly string[]): Promise<boolean> {
    const begunAt = performance.now();
    const sent = await fetch(new URL('/api/v1/verify', plan.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}` },
      body: JSON.stringify({ emails }),
      signal: AbortSignal.timeout(plan.deadlineMs + GRACE_MS),
    })
      .then(async (answer) => ({ answer, text: await answer.text() }))
      .catch((error: unknown) => (error instanceof Error && error.name === 'TimeoutError' ? 'silence' : null));
    if (sent === null) return false;
    const tookMs = performance.now() - begunAt;
    if (sent === 'silence') faults.push(`no answer in ${Math.round(tookMs)} ms`);
    else {
      const results = resultsSchema.safeParse(parseJson(sent.text));
      if (sent.answer.status === 200 && results.success) {
        const batchId = sent.answer.headers.get('x-request-id') ?? '';
        answered.push({ batchId, accountId: customer.accountId, price: priceOf(results.data) });
        judge(results.data, emails, tookMs);
      } else faults.push(`status ${sent.answer.status} after ${Math.round(tookMs)} ms: ${sent.text.slice(0, 200)}`);
    }
    return true;
  }

  async function caller(lane: number): Promise<void> {
    const customer = plan.customers[lane % plan.customers.length] ?? plan.customers[0];
    await sleep((plan.rampMs * lane) / plan.inFlight);
    while (!end.signal.aborted) {
      const emails = newList(lists, plan.addresses);
      lists += 1;
      const begunAt = performance.now();
      let calls = 1;
      while (!(await call(customer, emails))) {
        brokenOff += 1;
        calls += 1;
        if (calls > CALLS_MAX) throw new Error(`the edge is away: ${CALLS_MAX} calls in a row broke off`);
        await sleep(AFTER_BREAK_MS);
      }
      asked.push({ emails, calls, tookMs: performance.now() - begunAt });
    }
  }

  const ended = Promise.all(Array.from({ length: plan.inFlight }, (_, lane) => caller(lane)));
  // Looked at when the load is stopped.
  ended.catch(() => undefined);
  return {
    asked,
    answered,
    faults,
    timedOut: () => timedOut,
    brokenOff: () => brokenOff,
    async stop() {
      end.abort();
      await ended;
    },
  };
}
