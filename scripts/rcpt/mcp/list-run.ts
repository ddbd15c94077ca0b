import { type OtherLine, type Rcpt, RcptError } from '../../../schema/client/index.ts';
import type { Clock } from '../../../schema/client/base/clock.ts';
import { Bell } from '../../../schema/client/run/bell.ts';
import { countStatuses, type StatusCounts } from '../../../schema/words/status-counts.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { explain } from '../failure/explain.ts';

/** Lines of a newer service that are passed on with one call. */
const OTHER_LINES_MOST = 100;

/** A part of the results, in the order of the addresses, none of which is missing. */
export type Page = { readonly results: readonly OpenResult[]; readonly next: number | null };

/** One list on its way, which goes on between the calls of an assistant that does not wait for its end. */
export class ListRun {
  readonly #stop = new AbortController();
  readonly #known: (OpenResult | null)[];
  readonly #ended: Promise<void>;
  readonly #bell = new Bell();
  #failure: string | null = null;
  #isOver = false;
  #charged = 0;
  readonly otherLines: OtherLine[] = [];

  /** @param settle what it has cost, at most: once, when it has ended */
  constructor(client: Rcpt, emails: readonly string[], maxCredits: number, settle: (spent: number) => void) {
    this.#known = emails.map(() => null);
    this.#ended = this.#ask(client, emails, maxCredits, settle);
  }

  /** Why it ended before its end; null if it did not. */
  get failure(): string | null {
    return this.#failure;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get charged(): number {
    return this.#charged;
  }

  get size(): number {
    return this.#known.length;
  }

  get answered(): number {
    return this.#known.filter((result) => result !== null).length;
  }

  get verdicts(): StatusCounts {
    return countStatuses(this.#known.flatMap((result) => (result === null ? [] : [[result.status, 1] as const])));
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The assistant has gone.'));
    await this.#ended;
  }

  /** Waits until the run is over, or only until a part is known, but for no longer than this. */
  async wait(part: readonly [from: number, to: number] | null, clock: Clock, waitMs: number): Promise<void> {
    // With its last address comes what it has cost.
    const isPart = part !== null && part[1] < this.size;
    const isKnown = (): boolean => isPart && !this.#known.slice(...part).includes(null);
    const late = new AbortController();
    const callOff = clock.after(waitMs, () => {
      late.abort();
      this.#bell.ring();
    });
    while (!late.signal.aborted && !this.#isOver && !isKnown()) await this.#bell.rung();
    callOff();
  }

  /** What is known of a part. `next` is the first that is not in it; null: nothing is left, and nothing will come. */
  page(from: number, to: number): Page {
    const part = this.#known.slice(from, to);
    // A run that has failed leaves gaps that nobody fills.
    if (this.#isOver) return { results: part.flatMap((result) => result ?? []), next: to < this.size ? to : null };
    const gap = part.indexOf(null);
    const next = gap === -1 ? from + part.length : from + gap;
    return {
      results: part.slice(0, next - from).flatMap((result) => result ?? []),
      next: next < this.size ? next : null,
    };
  }

  async #ask(client: Rcpt, emails: readonly string[], maxCredits: number, settle: (spent: number) => void) {
    const run = client.verifyAll(emails, {
      signal: this.#stop.signal,
      maxCredits,
      onOtherLine: (line) => {
        if (this.otherLines.length < OTHER_LINES_MOST) this.otherLines.push(line);
      },
    });
    try {
      for await (const { index, result } of run) {
        this.#known[index] = result;
        this.#charged = run.tally.charged;
        this.#bell.ring();
      }
    } catch (error) {
      this.#failure = this.#stop.signal.aborted ? 'The call was cancelled.' : wordsOf(error);
    }
    this.#charged = run.tally.charged;
    settle(run.tally.charged + run.tally.unsure);
    this.#isOver = true;
    this.#bell.ring();
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof RcptError && error.code === 'CEILING')
    return 'Some answers were lost, and asking again could cost more than this call may spend. Ask for the rest in a new call.';
  return explain(error).message;
}
