import { RSET } from '../wire/command.ts';
import type { Reply } from '../wire/reply.ts';
import { GREETING, isGood, type Session } from './session.ts';

// After a surplus reply, each later one would be taken for the reply to the command before.

/** Replies kept by a session to recognize a surplus one. */
const TO_NOBODY_MAX = 4;

/**
 * Whether a reply cannot belong to its command: then nothing that the session said in this transaction counts.
 * @param command the command that it should answer, by kind
 */
export function isOutOfStep(session: Session, command: string, reply: Reply): boolean {
  if (isRepeated(session, command === 'rcpt' || command === 'made_up', reply)) {
    session.slipped = true;
    // One domain's replies would be taken for another's.
    if (session.turn > 0) return true;
  }
  // After a second greeting or answer to EHLO, each reply would be taken for that to the command before.
  const isHello = session.hello !== null && areSame(session.hello, reply.lines);
  return isHello || reply.code === GREETING;
}

/**
 * If there was a surplus reply, the one to RSET is that to the last recipient, or comes after it. @returns whether
 * there was none
 */
export async function confirmStep(session: Session): Promise<boolean> {
  const { wire, commandMs } = session;
  wire.send(RSET);
  const heard = await wire.hear(commandMs);
  session.inTransaction = false;
  return heard.kind === 'reply' && isGood(heard.reply) && wire.quiet;
}

/**
 * Whether a server seems to have sent a surplus reply: to a command that names a recipient the very words of one that
 * named none, or to one that names none the words of the recipient before. Servers that say a bare "ok" to everything
 * do so without enhanced codes.
 * @param ofRecipient the command named a recipient
 */
function isRepeated(session: Session, ofRecipient: boolean, { enhanced, lines }: Reply): boolean {
  const { toNobody, lastReply: before } = session;
  session.lastReply = { ofRecipient, lines };
  if (!ofRecipient && toNobody.length < TO_NOBODY_MAX && !wasSaid(toNobody, lines)) toNobody.push(lines);
  if (enhanced === null) return false;
  return ofRecipient ? wasSaid(toNobody, lines) : before?.ofRecipient === true && areSame(before.lines, lines);
}

/**
 * Whether a reply to a command that names a recipient may just as well be that to the MAIL before: from servers that
 * say a bare "ok" to everything.
 */
export function isBareRepeat({ toNobody }: Session, { enhanced, lines }: Reply): boolean {
  return enhanced === null && wasSaid(toNobody, lines);
}

/** What servers say to RCPT, and to no other command: "destination address valid" (RFC 3463 §3.2). */
const OF_RECIPIENT = '2.1.5';

/** Whether a reply to MAIL looks like one to a later RCPT, which it is if the one to MAIL was left out. */
export function isAheadOfMail({ enhanced }: Reply): boolean {
  return enhanced === OF_RECIPIENT;
}

/**
 * The words of a reply that names somebody, and not whom its command named; null for most replies.
 * @param due address that the command named; null: it named none
 */
export function wordsOfAnother({ lines }: Reply, due: string | null): string | null {
  if (!lines.some((line) => line.includes('@'))) return null;
  const words = lines.join('\n').toLowerCase();
  return due !== null && (isBracketed(words, due) || namesIn(words).includes(due.toLowerCase())) ? null : words;
}

/**
 * Whether such words name another recipient of the session: some reply was left out, or one was too many.
 * @param waiting addresses whose replies come later
 * @param answered addresses whose replies have come. A server may name one for us to turn to, mostly without brackets.
 */
export function namesAnother(words: string, waiting: readonly string[], answered: readonly string[]): boolean {
  const named = namesIn(words);
  return waiting.some((one) => named.includes(one.toLowerCase())) || answered.some((one) => isBracketed(words, one));
}

function namesIn(words: string): readonly string[] {
  return words.match(ADDRESS) ?? [];
}

function isBracketed(words: string, address: string): boolean {
  return words.includes(`<${address.toLowerCase()}>`);
}

/** An address as it appears in a sentence. */
const ADDRESS = /[^\s<>()"',:;]+@[^\s<>()"',:;]*[^\s<>()"',:;.!?]/g;

function wasSaid(replies: readonly Reply['lines'][], lines: Reply['lines']): boolean {
  return replies.some((one) => areSame(one, lines));
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
