import type { Sent } from '../people/mail-limits.ts';
import { mailboxOf } from '../people/mailbox.ts';

/** How a mail to this address is counted, unhashed; by default no total limits it. */
export function sentTo(email: string, from: Partial<Omit<Sent, 'mailbox'>> = {}): Sent {
  return { mailbox: mailboxOf(email), share: 'somewhere', total: 1_000, day: 2_000, ...from };
}
