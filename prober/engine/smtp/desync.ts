import { MEANINGS } from '../meaning/rules/meanings.ts';
import type { Tried } from '../meaning/controls.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { Reply } from './wire/reply.ts';

// After a surplus reply, each later one would be taken for the reply to the command before. A reply that came twice has
// the words of the one before it, or of those to commands that name no recipient: then no reply counts before it is
// certain that none is left over.

/** In reply to EHLO it is a second greeting: every reply would be taken for that to the command before. */
export const GREETING = 220;

/** Replies kept by a session to recognize a surplus one. */
const TO_NOBODY_MAX = 4;
/** Replies that may be left over are waited for so long, at most, or twice as long as the delays of others differed. */
const LEFT_OVER_MS = 300;
const MARGIN = 2;

/** What a session remembers of its replies, to recognize a surplus one. */
export class ReplyWatch {
  /** A reply repeated another, so that one may be left over. */
  isDoubtful = false;
  /** The longest that a reply took. */
  longestMs = 0;
  #shortestMs = Infinity;
  /** The answer to EHLO, which answers no other command; null if that has too few words. */
  #hello: string | null = null;
  readonly #toNobody = new Set<string>();
  /** The last reply, and whether its command named a recipient. */
  #last: string | null = null;
  #wasOfRecipient = false;

  noteHello({ lines }: Reply): void {
    this.#hello = lines.length > 1 ? lines.join('\n') : null;
  }

  noteDelay(delayMs: number): void {
    this.#shortestMs = Math.min(this.#shortestMs, delayMs);
    this.longestMs = Math.max(this.longestMs, delayMs);
  }

  /** How long to wait for a reply that is left over: it comes as late as others did. */
  get leftOverMs(): number {
    return Math.min(LEFT_OVER_MS, MARGIN * (this.longestMs - this.#shortestMs));
  }

  /** What a reply repeats: the greeting or the answer to EHLO, or what was said to a command without a recipient. */
  repeated(ofRecipient: boolean, { code, lines }: Reply): 'hello' | 'to_nobody' | null {
    const words = lines.join('\n');
    if (code === GREETING || words === this.#hello) return 'hello';
    const isAgain = words === this.#last;
    const isToNobody = ofRecipient ? this.#toNobody.has(words) : isAgain && this.#wasOfRecipient;
    this.#last = words;
    this.#wasOfRecipient = ofRecipient;
    if (!ofRecipient && this.#toNobody.size < TO_NOBODY_MAX) this.#toNobody.add(words);
    this.isDoubtful ||= isToNobody || (ofRecipient && isAgain);
    return isToNobody ? 'to_nobody' : null;
  }
}

/** Whether a reply names another of its group and not its own recipient. @param addresses of the group; its own first */
export function namesAnother({ lines }: Reply, addresses: () => readonly (string | null)[]): boolean {
  if (!lines.some((line) => line.includes('@'))) return false;
  const words = lines.join('\n').toLowerCase();
  const [due = null, ...others] = addresses();
  if (due !== null && names(words, due)) return false;
  return others.some((one) => one !== null && one !== due && names(words, one));
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

/**
 * The answers that count. Haraka's `delay_deny` hands a plugin's refusal of one recipient to the next that the server
 * accepts: after a refusal that names its recipient, those that name nobody may be another's. They are not counted. The
 * next transaction begins with these recipients, and takes their refusals at their word.
 */
export function withoutHandedOn(
  answers: readonly Tried<RecipientProbe>[],
  domain: string,
): readonly Tried<RecipientProbe>[] {
  const namesIts = ({ reply, recipient }: Tried<RecipientProbe>): boolean =>
    names(reply.lines.join('\n').toLowerCase(), `${recipient.local}@${domain}`);
  const first = answers.find(({ reply }) => reply.code >= 500);
  if (first === undefined || !namesIts(first)) return answers;
  return answers.filter((answer) => !MEANINGS[answer.said.meaning].isUnknown || namesIts(answer));
}
