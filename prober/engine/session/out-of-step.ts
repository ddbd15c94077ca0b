import type { Reply } from '../wire/reply.ts';
import type { Session } from './session.ts';

// A server that says a reply too many has each later one taken for that to the command before.

/** Replies that a session keeps to tell one too many by. */
const TO_NOBODY_MAX = 4;

/** Whether a reply is the answer to EHLO once more. */
export function isHelloOf({ hello }: Session, { lines }: Reply): boolean {
  return hello !== null && areSame(hello, lines);
}

/**
 * Whether a server seems to have said a reply too many: to a command that names a recipient word for word the same as to any
 * that named none, or to one that names none the same as to the recipient before. Servers that say a bare "ok" to everything
 * do so without enhanced codes.
 * @param ofRecipient the command named a recipient
 */
export function isRepeated(session: Session, ofRecipient: boolean, { enhanced, lines }: Reply): boolean {
  const { toNobody, lastReply: before } = session;
  session.lastReply = { ofRecipient, lines };
  const words = lines.join('\n');
  if (!ofRecipient && toNobody.size < TO_NOBODY_MAX) toNobody.add(words);
  if (enhanced === null) return false;
  return ofRecipient ? toNobody.has(words) : before?.ofRecipient === true && areSame(before.lines, lines);
}

/** Whether a reply to a command that names a recipient may as well be that to the MAIL before: of servers that say a bare "ok" to everything. */
export function isBareRepeat({ toNobody }: Session, { enhanced, lines }: Reply): boolean {
  return enhanced === null && toNobody.has(lines.join('\n'));
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
