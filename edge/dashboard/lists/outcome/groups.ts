import { isKnown, type Open } from '../../../../schema/words/open.ts';
import { type Status, STATUSES } from '../../../../schema/words/verdicts.ts';

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

/** In an order that is the same for every list: by status as everywhere else, then by title. Pure. */
export function inOrder(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => placeOf(a.status) - placeOf(b.status) || a.title.localeCompare(b.title, 'en'));
}

function placeOf(status: Group['status']): number {
  if (status === null) return Infinity;
  return isKnown(STATUSES, status) ? STATUSES.indexOf(status) : STATUSES.length;
}
