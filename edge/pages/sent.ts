import type { Call } from '../base/call.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { mailboxOf } from '../people/mailbox.ts';
import type { Sent } from '../people/mail-limits.ts';

/** Of a day's mails, for links to strangers, and as much for invitations by accounts that have not bought. */
const PART = 1 / 4;

/**
 * How a mail is counted.
 * @param share whose share it counts against: an account, or a network after the networks that contain it, the widest
 * first
 */
export async function sentBy({ config }: Call, email: string, share: readonly string[]): Promise<Sent> {
  const [secret = ''] = config.KEY_SECRETS;
  const [mailbox, ...from] = await Promise.all([
    keyedHash(`mail to ${mailboxOf(email)}`, secret),
    ...share.map((one) => keyedHash(`mail from ${one}`, secret)),
  ]);
  return { mailbox, share: from.join('.'), total: Math.max(1, Math.floor(config.MAILS_PER_DAY * PART)) };
}
