import type { Outcome } from '../../schema/evidence.ts';

// Which of two hosts' evidence about one address counts: the one that got furthest. What was learnt from DNS alone is
// final to the host that learnt it, but it does not outdo a server that another host has talked to.

/** @returns higher for evidence that got further; a verdict on the recipient is above all, `unprobed` below all */
export function rank(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'accepted':
    case 'mailbox_full':
    case 'no_such_mailbox':
    case 'no_smtputf8':
      return 13;
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
    case 'mx_hosts_missing':
    case 'no_mail_domain':
    case 'provider_blocks_probe':
      return 1;
    case 'unprobed':
      return 0;
  }
}
