import type { Tally } from '../../../schema/client/index.ts';
import type { Counts } from '../../../schema/list-job/results.ts';

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
export type Figures = Counts &
  Pick<Tally, 'waiting' | 'conflicts' | 'charged' | 'returned' | 'unconfirmed'> & {
    readonly total: number;
    /** Of all, those that the journal knew when the run began. */
    readonly known: number;
    /** Until the first of those that wait is asked again. */
    readonly waitingS: number;
    /** Until the service takes the next request. */
    readonly pausedS: number;
  };

export function figuresOf(counts: Counts, of: Pick<Figures, 'total' | 'known'>, tally: Tally): Figures {
  const { waiting, waitingMs, pausedMs, conflicts, charged, returned, unconfirmed } = tally;
  const [waitingS, pausedS] = [Math.ceil(waitingMs / 1_000), Math.ceil(pausedMs / 1_000)];
  return { ...counts, ...of, waiting, waitingS, pausedS, conflicts, charged, returned, unconfirmed };
}
