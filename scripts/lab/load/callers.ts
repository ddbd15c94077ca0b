import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { parseJson } from '../../../schema/parse-json.ts';
import type { Account } from './stage.ts';

// Callers, each with one list after the other. A call that breaks off, or is answered with 402, 409, 429 or 500, is made again
// for the same list under the same Idempotency-Key.

const resultSchema = z.object({
  email: z.string(),
  result: z.string(),
  reason: z.string().nullable(),
  retry_after: z.int().nullable(),
});
export type Result = z.infer<typeof resultSchema>;

/** A list that was answered with 200, and all calls that it took. */
export type Answered = {
  readonly account: Account;
  readonly emails: readonly string[];
  readonly results: readonly Result[];
  readonly batchId: string;
  /** What the answer says that earlier calls with its key cost. */
  readonly before: number;
  readonly calls: number;
  readonly tookMs: number;
};

export type Figures = {
  readonly answered: Answered[];
  /** Requests that were answered with 500, and how many calls ended without a whole answer or with 402, 409 or 429. */
  readonly failed: Set<string>;
  brokenOff: number;
  refused: number;
  readonly unexpected: string[];
};

type Sent = { readonly status: number; readonly batchId: string; readonly before: number; readonly retryMs: number };

const REFUSALS = [402, 409, 429];
const WAIT_MOST_MS = 2_000;
const CALLS_MAX = 300;
/** Longer than any batch may take. */
const SILENCE_MS = 110_000;

export class Callers {
  readonly figures: Figures = { answered: [], failed: new Set(), brokenOff: 0, refused: 0, unexpected: [] };
  readonly #url: string;
  readonly #end = new AbortController();
  readonly #gone = new AbortController();
  readonly #lanes: Promise<void>[] = [];
  #lists = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Has an account ask for one list after the other. @param listOf the n-th list of all callers */
  start(account: Account, listOf: (n: number) => readonly string[]): void {
    const lane = async (): Promise<void> => {
      while (!this.#end.signal.aborted) {
        this.#lists += 1;
        await this.ask(account, listOf(this.#lists));
      }
    };
    this.#lanes.push(lane());
  }

  /** Ends the callers. @param atOnce breaks off what is under way instead of waiting for it */
  async stop(atOnce = false): Promise<void> {
    this.#end.abort();
    if (atOnce) this.#gone.abort();
    await Promise.all(this.#lanes);
  }

  /** Asks for one list until there is an answer. @returns null if it was broken off by `stop` */
  async ask(account: Account, emails: readonly string[]): Promise<Answered | null> {
    const key = `list-${Math.random()}`;
    const begunAt = performance.now();
    for (let calls = 1; calls <= CALLS_MAX; calls += 1) {
      const sent = await this.#send(account, emails, key).catch(() => null);
      if (this.#gone.signal.aborted) return null;
      if (sent === null) this.figures.brokenOff += 1;
      else if (sent.status === 200) {
        const results = z.array(resultSchema).safeParse(parseJson(sent.text));
        if (!results.success) return this.#unexpected('an answer of 200 that is no array of results');
        const tookMs = performance.now() - begunAt;
        const { batchId, before } = sent;
        const one = { account, emails, results: results.data, batchId, before, calls, tookMs };
        this.figures.answered.push(one);
        return one;
      } else if (sent.status === 500) this.figures.failed.add(sent.batchId);
      else if (REFUSALS.includes(sent.status)) this.figures.refused += 1;
      else return this.#unexpected(`status ${sent.status}: ${sent.text.slice(0, 200)}`);
      await sleep(Math.min(Math.max(sent?.retryMs ?? 0, 100), WAIT_MOST_MS));
    }
    throw new Error(`no answer in ${CALLS_MAX} calls`);
  }

  #unexpected(what: string): null {
    this.figures.unexpected.push(what);
    return null;
  }

  async #send(account: Account, emails: readonly string[], key: string): Promise<Sent & { text: string }> {
    const answer = await fetch(new URL('/api/v1/verify', this.#url), {
      method: 'POST',
      headers: { 'idempotency-key': key, authorization: `Bearer ${account.key}` },
      body: JSON.stringify({ emails }),
      signal: AbortSignal.any([AbortSignal.timeout(SILENCE_MS), this.#gone.signal]),
    });
    return {
      status: answer.status,
      batchId: answer.headers.get('rcpt-request-id') ?? '',
      before: Number(answer.headers.get('idempotency-charged') ?? 0),
      retryMs: Number(answer.headers.get('retry-after') ?? 0) * 1_000,
      text: await answer.text(),
    };
  }
}
