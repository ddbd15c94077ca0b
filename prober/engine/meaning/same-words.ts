import type { Recipient } from '../ports/recipient.ts';
import type { Stage } from '../ports/stage.ts';
import type { Reply } from '../wire/reply.ts';

// Servers say the same of every address but for the address itself, so most replies need to be read once. What may be read
// differently for another recipient has no key, and is read.

/** Shorter ones are read whole, however long the address in them is. */
const CHARS_MAX = 500;
const LINES_MAX = 16;
const PLAIN = /^[a-z0-9](?:[a-z0-9]|[._+-](?=[a-z0-9])){0,39}$/i;
/** Bytes of another charset, codes of letters, and the stand-in: what each means may depend on the rest. */
const SPECIAL = /[^\0-\x7f]|[=%][2-7][0-9a-f]|@/i;
const CUT = '\u{e000}';
/** The address has a place of its own: it is no part of a longer one, of a word or of a link. */
const OWN_PLACE = /(?<![^\s<("'[:])\u{e000}(?!\.[^\s]|[^\s>)"'\],:;.])/gu;
/** What stands for names as a reply is read: a name that begins like one of these may be looked for in it. */
const STAND_INS = ' addr url fqdn blocklist greylist elsewhere sender ipnumber';
/** As many first letters of a name are looked for (`words/recipient-names.ts`). */
const FIRST_CHARS = 3;

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
  if (rest.includes(CUT) || SPECIAL.test(rest)) return null;
  const words = rest.toLowerCase() + STAND_INS;
  const occurs = (name: string): boolean => words.includes(name.slice(0, FIRST_CHARS).toLowerCase());
  return occurs(local) || occurs(domain)
    ? null
    : `${stage} ${reply.code} ${reply.enhanced ?? ''} ${sender ?? ''} ${cut}`;
}
