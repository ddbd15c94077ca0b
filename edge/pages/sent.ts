import type { Call } from '../base/call.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { mailboxOf } from '../people/mailbox.ts';
import type { Sent } from '../people/mail-limits.ts';

/**
 * How a mail is counted.
 * @param share whose share it comes off: a network or an account
 */
export async function sentBy({ config }: Call, email: string, share: string): Promise<Sent> {
  const [secret = ''] = config.KEY_SECRETS;
  const [mailbox, from] = await Promise.all([
    keyedHash(`mail to ${mailboxOf(email)}`, secret),
    keyedHash(`mail from ${share}`, secret),
  ]);
  return { mailbox, share: from, total: config.STRANGER_MAILS_PER_HOUR };
}
