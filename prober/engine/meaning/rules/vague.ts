import type { Rule } from './rule.ts';

/** Refusals without a noun of their own: about us unless an enhanced code says otherwise. */
export const VAGUE_RULES = [
  {
    id: 'vague/check-failed',
    says: 'policy_rejected',
    when: ['CHECK failed'],
    unless: ['BOX … CHECK failed'],
    from: '550 Previous (cached) callout verification failure',
  },
  {
    id: 'vague/refused',
    says: 'policy_rejected',
    when: ['refused', 'blocked', 'not allowed', 'not accept', 'restricted'],
    from: '554 5.7.1 You are not allowed to connect',
  },
] as const satisfies readonly Rule[];
