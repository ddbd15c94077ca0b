import type { Deferral, MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { whyNotLearnt } from '../../../schema/outcomes.ts';
import type { Classified } from '../meaning/classify.ts';
import { deferralOf, type ReadReply } from '../meaning/outcome.ts';
import { readText, withoutNames } from '../meaning/words/gist.ts';
import type { Random } from '../ports/ports.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';
const DIGITS = '0123456789';

/** A local part that looks like a name and that nobody has: 18 letters, 56 bits of chance. */
export function madeUpLocal(random: Random): string {
  return letters(9, random);
}

/** Another one, of the form that people's have: two names and four digits, 57 bits of chance. */
export function madeUpPerson(random: Random): string {
  let digits = '';
  for (let i = 0; i < 4; i += 1) digits += pick(DIGITS, random);
  return `${letters(3, random)}.${letters(4, random)}${digits}`;
}

/** What the reply to RCPT for the made-up mailbox tells: only a refusal as a mailbox proves that the server tells apart. */
export function fateOf({ reply, said }: ReadReply): MadeUpFate {
  switch (said.meaning) {
    case 'accepted':
      return { kind: 'accepted' };
    case 'no_such_mailbox':
    case 'relay_denied': // the server serves the domain, it took a recipient; this one it knows no place for
      return { kind: 'refused' };
    case 'deferred':
      return { kind: 'not_learnt', why: 'greylisting', deferral: deferralOf(said) };
    case 'mailbox_full': // nobody has it, so it cannot be full: the words are about something else
      return reply.code < 500
        ? { kind: 'not_learnt', why: 'greylisting', deferral: deferralOf(said) }
        : { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
    case 'policy_rejected':
      return { kind: 'not_learnt', why: 'policy_rejected', deferral: null };
    case 'unexpected':
      return { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
  }
}

/** Words about how often or how much is asked, not about who exists. */
const ABOUT_RATE =
  /\b(?:rates?|rate-?limit\w*|limit(?:s|ed|ing)?|throttl\w*|tar-?pit\w*|excessive(?:ly)?|exceed\w*|slow(?:ing)? down|too (?:many|much|fast|quickly|often|frequent(?:ly)?))\b/i;

/** Equal for refusals by the same code and enhanced code. */
export function likeness({ code, enhanced }: SmtpReply): string {
  return `${code} ${enhanced ?? ''}`;
}

/**
 * Whether the made-up mailbox may have been refused as it is for another reason than that nobody has it: the server
 * refuses real mailboxes by other codes, its words are about rate, or the refusals before it are suspect.
 * @param answer a refusal as a mailbox
 * @param refusals how it refused real ones, by `likeness`; nothing is concluded from none
 * @param suspect what the refusals before it in its session say
 */
export function isDoubtful(answer: ReadReply, refusals: readonly string[], suspect: boolean): boolean {
  const unlike = refusals.length > 0 && !refusals.includes(likeness(answer.reply));
  return unlike || suspect || isAboutRate(answer);
}

/** Refusals at a regular interval of which a list of addresses is not likely to be the cause. */
const REGULAR_REFUSALS = 3;

/**
 * Whether a refusal after these replies falls where a server's would that refuses every second recipient, or every third:
 * exactly each of them was refused.
 */
export function isRegular(before: readonly ReadReply[]): boolean {
  if (before.length + 1 < REGULAR_REFUSALS * 2) return false;
  const refused = [...before.map(({ reply }) => reply.code >= 400), true];
  const interval = refused.indexOf(true) + 1;
  if (interval < 2 || refused.length < REGULAR_REFUSALS * interval) return false;
  return refused.every((is, i) => is === ((i + 1) % interval === 0));
}

/** What two made-up mailboxes tell if the first was refused, perhaps for another reason: only two refusals alike prove anything. */
export function confirmedFate(first: ReadReply, second: ReadReply): MadeUpFate {
  const fate = fateOf(second);
  if (fate.kind !== 'refused') return fate;
  if (isAboutRate(second)) return { kind: 'not_learnt', why: 'policy_rejected', deferral: null };
  if (likeness(first.reply) === likeness(second.reply)) return fate;
  return { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
}

/** An address may have any word in it, so that what the whole text seems to say is read again without names. */
function isAboutRate({ reply }: ReadReply): boolean {
  const text = readText(reply);
  return ABOUT_RATE.test(text) && ABOUT_RATE.test(withoutNames(text));
}

/** What stopped us if the made-up mailbox could not be asked about at all. */
export function stoppedBy(outcome: Outcome): MadeUpFate {
  return { kind: 'not_learnt', why: whyNotLearnt(outcome), deferral: waitOf(outcome) };
}

/** When it may be asked about: nobody has it, so it cannot be full. */
function waitOf(outcome: Outcome): Deferral | null {
  if (outcome.kind === 'unprobed') return outcome.waitS === null ? null : { cause: 'busy', askedS: outcome.waitS };
  return 'deferral' in outcome && outcome.kind !== 'mailbox_full' ? outcome.deferral : null;
}

/** The server takes no second recipient in a transaction: a fresh one may still be had in the same session. */
export function wantsFreshTransaction(code: number, said: Classified): boolean {
  return said.endsSession && code !== 421;
}

function letters(syllables: number, random: Random): string {
  let word = '';
  for (let i = 0; i < syllables; i += 1) word += pick(CONSONANTS, random) + pick(VOWELS, random);
  return word;
}

function pick(from: string, random: Random): string {
  return from[Math.floor(random() * from.length)] ?? from.slice(0, 1);
}
