import type { Outcome } from '../../../schema/evidence.ts';
import { isRefunded } from '../../../schema/outcomes.ts';
import { isFirmDenial, isInDoubt } from './doubt.ts';

// What a mail server is said to have answered, as far as callers pay for it: what a host that lies would say of everybody.

export const ANSWERS = ['accepts', 'catch_all', 'refuses', 'full', 'defers', 'other'] as const;
export type Reply = (typeof ANSWERS)[number];
/** Or what a resolver answered: that there is nobody to ask. */
export type Answer = Reply | 'denies';

export function answerOf(outcome: Outcome): Answer | null {
  return isFirmDenial(outcome) ? 'denies' : replyOf(outcome);
}

/** @returns null for what is free, and for what a resolver or a broken network alone would say: `doubt.ts` judges that */
export function replyOf(outcome: Outcome): Reply | null {
  if (isRefunded(outcome) || isInDoubt(outcome)) return null;
  switch (outcome.kind) {
    case 'accepted':
      return outcome.madeUp.kind === 'accepted' || outcome.madeUp.kind === 'provider_accepts_all'
        ? 'catch_all'
        : 'accepts';
    case 'no_such_mailbox':
    case 'no_smtputf8':
      return 'refuses';
    case 'mailbox_full':
      return 'full';
    case 'deferred':
    case 'rcpt_deferred':
      return 'defers';
    case 'timeout':
    case 'connection_error':
    case 'protocol_error':
    case 'unexpected_code':
    case 'provider_blocks_probe':
      return 'other';
    case 'no_mail_domain':
    case 'mx_lookup_failed':
    case 'mx_hosts_missing':
    case 'mx_private':
    case 'no_banner':
    case 'ehlo_rejected':
    case 'mail_from_rejected':
    case 'policy_rejected':
    case 'unprobed':
    case 'opted_out':
      return null;
  }
}
