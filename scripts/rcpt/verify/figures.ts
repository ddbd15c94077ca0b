import type { Tally } from '../../../schema/client/index.ts';
import type { RowResult } from '../../../schema/lists/columns/result-columns.ts';
import { countStatuses, type StatusCounts } from '../../../schema/words/status-counts.ts';

/** What is known before anything is asked. */
export type Plan = {
  readonly input: string;
  /** Name of the column of addresses. */
  readonly column: string;
  readonly rows: number;
  /** Rows that have several addresses in one cell, none of which is asked. */
  readonly unclear: number;
  /** Rows whose cell is filled, and not with an address. */
  readonly none: number;
  /** Rows that --not-in leaves out. */
  readonly unwanted: number;
  /** Rows that --only leaves as they are. */
  readonly excluded: number;
  /** Rows whose address is to be verified. */
  readonly addresses: number;
  readonly distinct: number;
  /** Of the rows, those that the journal knows: they cost nothing more. */
  readonly known: number;
  /** And the different addresses in them. */
  readonly knownDistinct: number;
  /** How many addresses are asked of a list that has more; null: all. */
  readonly sample: number | null;
  /** What this run costs at most if it asks each address once, and what a run of all does. */
  readonly creditsAtMost: number;
  readonly creditsAtMostForAll: number;
  /** What the account has; null if nobody was asked. */
  readonly credits: number | null;
  /** What the list may cost in all its runs, and what earlier ones have spent of that. */
  readonly maxCredits: number | null;
  readonly spent: number;
  /** How often an address that is put off is asked. */
  readonly rounds: number;
};

/**
 * How far a run is. While it asks, counts are of different addresses; what it came to is counted in rows, so that a duplicate
 * counts wherever it stands. Credits are those of the list in all its runs.
 */
export type Figures = {
  readonly done: number;
  readonly total: number;
  /** Of all, those that the journal knew when the run began. */
  readonly known: number;
  readonly verdicts: StatusCounts;
  /** Of the answered, those that were asked more than once. */
  readonly askedAgain: number;
  /** Answers `unknown` that asking later may settle, and the seconds after which the first of them may be asked. */
  readonly putOff: number;
  readonly putOffS: number;
  /** Addresses that this run asks again when their time has come, and the seconds until the first is. */
  readonly waiting: number;
  readonly waitingS: number;
  /** Seconds until the service takes the next request. */
  readonly pausedS: number;
  /** Requests that wait until the service has ended an interrupted attempt. */
  readonly conflicts: number;
  readonly charged: number;
  readonly returned: number;
  /** Credits at most that requests may have cost whose end was lost. */
  readonly unsure: number;
};

/** Counts answers. */
export class Count {
  readonly #verdicts = new Map(countStatuses([]));
  readonly #tally: () => Tally;
  readonly #total: number;
  readonly #known: number;
  #done = 0;
  #askedAgain = 0;
  #putOff = 0;
  #putOffS = Infinity;

  constructor({ total, known }: Pick<Figures, 'total' | 'known'>, tally: () => Tally) {
    this.#total = total;
    this.#known = known;
    this.#tally = tally;
  }

  add({ result, asked }: RowResult): void {
    this.#done += 1;
    this.#verdicts.set(result.status, (this.#verdicts.get(result.status) ?? 0) + 1);
    if (asked > 1) this.#askedAgain += 1;
    if (result.status !== 'unknown' || result.retry_after === null) return;
    this.#putOff += 1;
    this.#putOffS = Math.min(this.#putOffS, result.retry_after);
  }

  get figures(): Figures {
    const { waiting, waitingMs, pausedMs, conflicts, charged, returned, unsure } = this.#tally();
    return {
      done: this.#done,
      total: this.#total,
      known: this.#known,
      verdicts: new Map(this.#verdicts),
      askedAgain: this.#askedAgain,
      putOff: this.#putOff,
      putOffS: this.#putOff === 0 ? 0 : this.#putOffS,
      waiting,
      waitingS: Math.ceil(waitingMs / 1_000),
      pausedS: Math.ceil(pausedMs / 1_000),
      conflicts,
      charged,
      returned,
      unsure,
    };
  }
}
