import type { Call } from '../base/call.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { mailboxOf } from '../people/mailbox.ts';
import type { Sent } from '../people/mail-limits.ts';

/** Of a day's mails, for strangers. */
const PART = 1 / 2;

/** How a mail is counted. @param from who caused it: an account, or a network */
export async function sentBy({ config }: Call, email: string, from: string): Promise<Sent> {
  const [secret = ''] = config.KEY_SECRETS;
  const [mailbox, share] = await Promise.all([
    keyedHash(`mail to ${mailboxOf(email)}`, secret),
    keyedHash(`mail from ${from}`, secret),
  ]);
  const { MAILS_PER_DAY: day } = config;
  return { mailbox, share, total: Math.max(1, Math.floor(day * PART)), day };
}
