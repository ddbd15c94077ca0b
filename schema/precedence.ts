import type { Outcome } from './evidence.ts';

/**
 * How far a piece of evidence got. The first verdict on a recipient ends its search; until then the evidence that got
 * furthest counts, whichever MX host or address gave it.
 * @returns higher for evidence that got further; a verdict is above all, `unprobed` below all
 */
export function rank(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'no_such_mailbox':
    case 'mailbox_full':
    case 'accepted':
    case 'no_smtputf8':
    case 'no_mail_domain':
    case 'mx_hosts_missing':
    case 'provider_blocks_probe':
      return 20;
    case 'rcpt_deferred':
      return 12;
    case 'policy_rejected':
      return 11;
    case 'unexpected_code':
    case 'protocol_error':
      return 10;
    case 'deferred':
      return 9;
    case 'mail_from_rejected':
      return 8;
    case 'ehlo_rejected':
      return 7;
    case 'no_banner':
      return 6;
    case 'connection_error':
      return outcome.greeted ? 5 : 3;
    case 'timeout':
      return 4;
    case 'mx_lookup_failed':
      return 2;
    case 'mx_private':
      return 1;
    case 'unprobed':
      return 0;
  }
}
