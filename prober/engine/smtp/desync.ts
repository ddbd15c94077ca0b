import { MEANINGS } from '../meaning/rules/meanings.ts';
import type { RcptReply } from './transaction-plan.ts';
import type { Reply } from './wire/reply.ts';
import { GREETING, type Session } from './session.ts';

// After a surplus reply, each later one would be taken for the reply to the command before. A reply that came twice has
// the words of the one before it, or of those to commands that name no recipient: then no reply counts before it is
// certain that none is left over.

/** Replies kept by a session to recognize a surplus one. */
const TO_NOBODY_MAX = 4;

/** A second greeting or answer to EHLO: each reply would be taken for that to the command before. */
export function isHello({ hello }: Session, { code, lines }: Reply): boolean {
  return code === GREETING || (hello !== null && areSame(hello, lines));
}

/** Whose words a reply has that may be a surplus one: the recipient's before it, or nobody's; null: its own. */
export function repeats(session: Session, ofRecipient: boolean, { lines }: Reply): 'nobody' | 'recipient' | null {
  const { toNobody, lastReply: before } = session;
  session.lastReply = { ofRecipient, lines };
  const isAgain = before !== null && areSame(before.lines, lines);
  if (ofRecipient) return wasSaid(toNobody, lines) ? 'nobody' : isAgain ? 'recipient' : null;
  if (toNobody.length < TO_NOBODY_MAX && !wasSaid(toNobody, lines)) toNobody.push(lines);
  return isAgain && before.ofRecipient ? 'nobody' : null;
}

/** Whether a reply names another and not its own recipient. @param due address that the command named; null: none */
export function namesAnother({ lines }: Reply, due: string | null, others: readonly string[]): boolean {
  if (!lines.some((line) => line.includes('@'))) return false;
  const words = lines.join('\n').toLowerCase();
  return !(due !== null && names(words, due)) && others.some((one) => one !== due && names(words, one));
}

/** What makes an address a part of a longer one: a character before it, or one or two behind it. */
const LOCAL_PART = /[\p{L}\p{N}.!#$%&*+/=?^_`{|}~-]/u;
const DOMAIN = /^\.?[\p{L}\p{N}_-]/u;

/** Whether an address stands in a text in lower case, and not as a part of a longer one. */
export function names(words: string, address: string): boolean {
  const name = address.toLowerCase();
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (!LOCAL_PART.test(words.slice(at - 1, at)) && !DOMAIN.test(words.slice(end, end + 2))) return true;
  }
  return false;
}

function wasSaid(replies: readonly Reply['lines'][], lines: Reply['lines']): boolean {
  return replies.some((one) => areSame(one, lines));
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

/**
 * The answers that count. Haraka's `delay_deny` hands a plugin's refusal of one recipient to the next that the server
 * accepts: after a refusal that names its recipient, those that name nobody may be another's. They are not counted. The
 * next transaction begins with these recipients, and takes their refusals at their word.
 */
export function withoutHandedOn(answers: readonly RcptReply[], domain: string): readonly RcptReply[] {
  const namesIts = ({ reply, recipient }: RcptReply): boolean =>
    names(reply.lines.join('\n').toLowerCase(), `${recipient.local}@${domain}`);
  const first = answers.find(({ reply }) => reply.code >= 500);
  if (first === undefined || !namesIts(first)) return answers;
  return answers.filter((answer) => !MEANINGS[answer.said.meaning].isUnknown || namesIts(answer));
}
