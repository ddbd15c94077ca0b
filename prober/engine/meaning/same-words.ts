import type { Recipient } from '../ports/recipient.ts';
import type { Stage } from '../ports/stage.ts';
import type { Reply } from '../wire/reply.ts';
import { readingsOf } from './words/charset.ts';
import { fold } from './words/fold.ts';

// Servers say the same of every address but for the address itself, so most replies need to be read once. What may be read
// differently for another recipient has no key, and is read.

/** Shorter ones are read whole, however long the address in them is. */
const CHARS_MAX = 500;
const LINES_MAX = 16;
const PLAIN = /^[a-z0-9](?:[a-z0-9]|[._+-](?=[a-z0-9])){0,39}$/i;
const CUT = '\u{e000}';
/** The address has a place of its own: it is no part of a longer one, of a word, of a link or of a letter of two bytes. */
const OWN_PLACE = /(?<![^\s<("'[:,;]|[\x80-\u{d7ff}][<("'[:,;])\u{e000}(?!\.[^\s.]|[^\s>)"'\],:;.])/gu;
/** What stands between two words that may be names (`words/recipient-names.ts`). */
const BREAK = /\.*[\s<>"'()[\]{},;:=]+|\.+$/g;
/** What stands for names as a reply is read: a name that is one of these may be found in it. */
const STAND_INS = new Set(['addr', 'url', 'fqdn', 'blocklist', 'greylist', 'elsewhere', 'sender', 'ipnumber']);

/**
 * The same for all recipients of whom a reply says the same.
 * @param sender our envelope sender, of whom the same words would say another thing
 * @returns null if it must be read
 */
export function keyOf(stage: Stage, reply: Reply, recipient: Recipient | undefined, sender: string | undefined) {
  if (recipient === undefined || reply.lines.length > LINES_MAX) return null;
  const { local, domain } = recipient;
  const address = `${local}@${domain}`;
  const text = reply.lines.join('\n');
  if (text.length > CHARS_MAX || !PLAIN.test(local) || !PLAIN.test(domain) || !domain.includes('.')) return null;
  if (address.toLowerCase() === sender?.toLowerCase() || text.includes(CUT)) return null;
  const cut = text.replaceAll(address, CUT);
  const rest = cut.replace(OWN_PLACE, '');
  if (rest.includes(CUT) || rest.includes('@')) return null;
  const names = [local.toLowerCase(), domain.toLowerCase()];
  const isNamed = readingsOf(rest).some((reading) => names.some((name) => isWordOf(fold(reading), name)));
  return isNamed || STAND_INS.has(local.toLowerCase())
    ? null
    : `${stage} ${reply.code} ${reply.enhanced ?? ''} ${sender ?? ''} ${cut}`;
}

/** Whether a name may stand in a text by itself, both folded. */
function isWordOf(text: string, name: string): boolean {
  return text.includes(name) && ` ${text.replace(BREAK, ' ')} `.includes(`${name} `);
}
