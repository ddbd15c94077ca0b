import type { Rule } from './rule.ts';

/** Refusals without a subject: about us unless an enhanced code says otherwise. */
export const VAGUE_RULES = [
  {
    // Postfix refuses so whatever a table lists: this mailbox, any mailbox, or all but some. Controls tell.
    id: 'vague/recipient',
    says: 'policy_rejected',
    when: ['BOX refused'],
    from: '554 5.7.1 <user@example.com>: Recipient address rejected: Access denied',
  },
  {
    id: 'vague/check-failed',
    says: 'policy_rejected',
    when: ['CHECK failed', 'CHECK … elsewhere'],
    unless: ['BOX … CHECK failed', 'CHECK failed for RDOMAIN|BOX'],
    from: '550 Previous (cached) callout verification failure',
  },
  {
    id: 'vague/refused',
    says: 'policy_rejected',
    when: ['refused', 'blocked', 'not allowed', 'not accept', 'not EMAIL|MSG … accept', 'restricted'],
    from: '554 5.7.1 You are not allowed to connect',
  },
] as const satisfies readonly Rule[];

/** `Recipient address rejected: Access denied`: about this recipient or about all, but not about the client. */
export const refusesRecipient = ({ rule }: { readonly rule: string | null }): boolean => rule === VAGUE_RULES[0].id;

/** Only the subject of the reply is known: tried last, if no code means anything either. */
export const LAST_RULE = {
  id: 'last/about-us',
  says: 'policy_rejected',
  codes: [550, 551, 552, 553, 554, 571],
  when: [
    'SENDER|IP|HELO|RELAY|you|your',
    'failed CLIENT',
    'CLIENT … not',
    'elsewhere … not|failed|bad|gone',
    'not access|member',
    'members|only … only|allowed|internal',
  ],
  from: '550 Domain example.org mismatches client ip',
} as const satisfies Rule;
