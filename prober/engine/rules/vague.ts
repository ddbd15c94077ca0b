import type { Rule } from './rule.ts';

/** Refusals without a noun of their own: about us unless an enhanced code says otherwise. */
export const VAGUE_RULES = [
  {
    id: 'vague/ask-the-postmaster',
    says: 'policy_rejected',
    when: ['IP *** failed … occurred'],
    from: '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact user@example.com to clarify.)',
  },
  {
    id: 'vague/check-failed',
    says: 'policy_rejected',
    when: ['check failed'],
    unless: ['BOX … check failed'],
    from: '550 Previous (cached) callout verification failure',
  },
  {
    id: 'vague/refused',
    says: 'policy_rejected',
    when: ['refused', 'blocked', 'not allowed', 'not accept', 'restricted'],
    from: '554 5.7.1 You are not allowed to connect',
  },
] as const satisfies readonly Rule[];
