import type { ToEdge } from '../../../schema/link.ts';

type Refusal = Extract<ToEdge, { type: 'refuse' }>['why'];

/**
 * How a batch came out: something was learnt (`served`); hosts were asked and learnt nothing (`unprobed`, or `refused_busy`),
 * which callers can bring about with addresses of their choice; or no host was there, none answered, or none would.
 */
export type BatchOutcome = 'served' | 'unprobed' | 'no_host' | 'unanswered' | 'not_signed' | `refused_${Refusal}`;

/** Those that no caller can bring about: faults of ours. */
export function isFault(outcome: string): boolean {
  return outcome !== 'served' && outcome !== 'unprobed' && outcome !== 'refused_busy';
}

/** What a batch has come to when this happens too. What was learnt counts most, then what may be its caller's doing. */
export function outcomeAfter(so: BatchOutcome, next: BatchOutcome): BatchOutcome {
  if (next === 'served') return next;
  return isFault(so) ? next : so;
}
