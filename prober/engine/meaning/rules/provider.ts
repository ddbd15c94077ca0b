import type { Rule } from './rule.ts';

/**
 * What a receiver's own code says about the mailbox (`words/provider-codes.ts`). Statements about us still come first.
 */
export const PROVIDER_RULES = [
  {
    id: 'provider/mailbox',
    says: 'no_such_mailbox',
    when: ['TAGBOX'],
    from: '550 5.5.0 Le compte du destinataire est bloque. The recipient account is blocked. LPN007_426',
  },
  {
    id: 'provider/full',
    says: 'mailbox_full',
    when: ['TAGFULL'],
    from: '552 Boite du destinataire pleine. Recipient overquota. OFR_417',
  },
] as const satisfies readonly Rule[];
