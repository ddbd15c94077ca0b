import { countStatuses } from '../../../schema/words/status-counts.ts';
import type { Figures, Plan } from '../verify/figures.ts';

/** A run that has come to nothing yet: tests say what is otherwise. */
export const NO_FIGURES: Figures = {
  done: 0,
  total: 0,
  known: 0,
  verdicts: countStatuses([]),
  askedAgain: 0,
  putOff: 0,
  putOffS: 0,
  waiting: 0,
  waitingS: 0,
  pausedS: 0,
  conflicts: 0,
  charged: 0,
  returned: 0,
  unconfirmed: 0,
};

/** A list without rows, which costs nothing. */
export const NO_PLAN: Plan = {
  input: 'list',
  column: 'email',
  rows: 0,
  unclear: 0,
  none: 0,
  unwanted: 0,
  excluded: 0,
  addresses: 0,
  distinct: 0,
  known: 0,
  knownDistinct: 0,
  sample: null,
  creditsAtMost: 0,
  creditsAtMostForAll: 0,
  credits: null,
  maxCredits: null,
  spent: 0,
  rounds: 1,
};
