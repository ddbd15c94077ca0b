import type { ToEdge } from '../../../schema/link.ts';

type Refusal = Extract<ToEdge, { type: 'refuse' }>['why'];

/**
 * How a batch ended: something was learnt (`served`); hosts were asked and learnt nothing (`unprobed`, or
 * `refused_busy`), which callers can provoke by their choice of addresses; or no host was there, none answered, or none
 * accepted.
 */
export type BatchOutcome = 'served' | 'unprobed' | 'no_host' | 'unanswered' | 'not_signed' | `refused_${Refusal}`;

/** Outcomes that no caller can provoke: faults of ours. */
export function isFault(outcome: string): boolean {
  return outcome !== 'served' && outcome !== 'unprobed' && outcome !== 'refused_busy';
}

/** The outcome of a batch after one more event. What was learnt counts most, then what its caller may have provoked. */
export function outcomeAfter(so: BatchOutcome, next: BatchOutcome): BatchOutcome {
  if (next === 'served') return next;
  return isFault(so) ? next : so;
}
