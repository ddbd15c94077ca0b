import type { Outcome } from '../../schema/evidence.ts';
import { rank as rankWithinHost } from '../../schema/precedence.ts';

/** What DNS alone told: final to the host that learnt it, but it does not outdo a server that another host talked to. */
const FROM_DNS: ReadonlySet<Outcome['kind']> = new Set([
  'no_mail_domain',
  'mx_hosts_missing',
  'mx_private',
  'provider_blocks_probe',
]);
const FROM_DNS_RANK = 1;

/**
 * Which of two hosts' evidence about one address counts: the one that got furthest.
 * @returns higher for evidence that got further; a verdict on the recipient is above all, `unprobed` below all
 */
export function rank(outcome: Outcome): number {
  return FROM_DNS.has(outcome.kind) ? FROM_DNS_RANK : rankWithinHost(outcome);
}
