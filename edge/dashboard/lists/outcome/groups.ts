import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';

// Addresses with what is known of each, as people look through them.

export type Group = {
  /** Null: there is no answer yet. */
  readonly status: Open<Status> | null;
  readonly title: string;
  readonly advice: string;
  /** How many addresses are in it. */
  readonly size: number;
};

/** What can be looked through. */
export type Findings = {
  readonly size: number;
  readonly groups: readonly Group[];
  readonly addressOf: (index: number) => string;
  /** Its place in `groups`. */
  readonly groupOf: (index: number) => number;
};

/** What is said of an address without an answer. */
export const UNANSWERED = {
  status: null,
  title: 'Not asked yet',
  advice: 'It was not asked yet, and has cost nothing.',
} as const;
