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
  if (enhanced === null) return false;
  const words = lines.join('\n');
  if (ofRecipient) return toNobody.has(words);
  if (toNobody.size < TO_NOBODY_MAX) toNobody.add(words);
  return before?.ofRecipient === true && areSame(before.lines, lines);
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
