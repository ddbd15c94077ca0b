import type { Deferral, MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { whyNotLearnt } from '../../../schema/outcomes.ts';
import type { Classified } from '../meaning/classify.ts';
import { isEveryNth } from '../meaning/controls.ts';
import { deferralOf, type ReadReply } from '../meaning/outcome.ts';
import { readText, withoutNames } from '../meaning/words/gist.ts';
import type { Random } from '../ports/ports.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';
const DIGITS = '0123456789';

/** A local part that looks like a name but belongs to no one: 18 letters, 56 random bits. */
export function madeUpLocal(random: Random): string {
  return letters(9, random);
}

/** Another one, in the form of a person's: two names and four digits, 57 random bits. */
export function madeUpPerson(random: Random): string {
  let digits = '';
  for (let i = 0; i < 4; i += 1) digits += pick(DIGITS, random);
  return `${letters(3, random)}.${letters(4, random)}${digits}`;
}

/**
 * What the reply to RCPT for the made-up mailbox shows: only its refusal as a mailbox proves that the server
 * distinguishes mailboxes.
 */
export function fateOf({ reply, said }: ReadReply): MadeUpFate {
  switch (said.meaning) {
    case 'accepted':
      return { kind: 'accepted' };
    case 'no_such_mailbox':
    case 'relay_denied': // the server took a recipient, so it serves the domain; it knows no route for this one
      return { kind: 'refused' };
    case 'deferred':
      return { kind: 'not_learnt', why: 'greylisting', deferral: deferralOf(said) };
    case 'mailbox_full': // it does not exist, so it cannot be full: the reply is about something else
      return reply.code < 500
        ? { kind: 'not_learnt', why: 'greylisting', deferral: deferralOf(said) }
        : { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
    case 'policy_rejected':
      return { kind: 'not_learnt', why: 'policy_rejected', deferral: null };
    case 'unexpected':
      return { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
  }
}

/** Phrases about how often or how much we ask, not about which mailboxes exist. */
const ABOUT_RATE =
  /\b(?:rates?|rate-?limit\w*|limit(?:s|ed|ing)?|throttl\w*|tar-?pit\w*|excessive(?:ly)?|exceed\w*|slow(?:ing)? down|too (?:many|much|fast|quickly|often|frequent(?:ly)?))\b/i;

/** Equal for refusals by the same code and enhanced code. */
export function likeness({ code, enhanced }: SmtpReply): string {
  return `${code} ${enhanced ?? ''}`;
}

/**
 * Whether the made-up mailbox may have been refused for another reason than that it does not exist: the server refuses
 * real mailboxes with other codes, its words are about rate, or the refusals before it are suspect.
 * @param answer a refusal as a mailbox
 * @param refusals how it refused real ones, by `likeness`; nothing is concluded from none
 * @param suspect whether the refusals before it in its session are suspicious
 */
export function isDoubtful(answer: ReadReply, refusals: readonly string[], suspect: boolean): boolean {
  const unlike = refusals.length > 0 && !refusals.includes(likeness(answer.reply));
  return unlike || suspect || isAboutRate(answer);
}

/** This many refusals at a regular interval are unlikely to be due to the list of addresses. */
const REGULAR_REFUSALS = 3;

/**
 * Whether a refusal after these replies would fit a server that refuses every second recipient, or every third: exactly
 * those were refused.
 */
export function isRegular(before: readonly ReadReply[]): boolean {
  const refused = [...before.map(({ reply }) => reply.code >= 400), true];
  const interval = refused.indexOf(true) + 1;
  return interval > 1 && refused.length >= REGULAR_REFUSALS * interval && isEveryNth(refused);
}

/** What two made-up mailboxes show if the first refusal was in doubt: only two similar refusals prove anything. */
export function confirmedFate(first: ReadReply, second: ReadReply): MadeUpFate {
  const fate = fateOf(second);
  if (fate.kind !== 'refused') return fate;
  if (isAboutRate(second)) return { kind: 'not_learnt', why: 'policy_rejected', deferral: null };
  if (likeness(first.reply) === likeness(second.reply)) return fate;
  return { kind: 'not_learnt', why: 'unexpected_code', deferral: null };
}

/** An address may contain any word, so what the whole text seems to say is read again without names. */
function isAboutRate({ reply }: ReadReply): boolean {
  const text = readText(reply);
  return ABOUT_RATE.test(text) && ABOUT_RATE.test(withoutNames(text));
}

/** The result if the made-up mailbox could not be asked about at all. */
export function stoppedBy(outcome: Outcome): MadeUpFate {
  return { kind: 'not_learnt', why: whyNotLearnt(outcome), deferral: waitOf(outcome) };
}

/** When it may be asked about again: it does not exist, so it cannot be full. */
function waitOf(outcome: Outcome): Deferral | null {
  if (outcome.kind === 'unprobed') return outcome.waitS === null ? null : { cause: 'busy', askedS: outcome.waitS };
  return 'deferral' in outcome && outcome.kind !== 'mailbox_full' ? outcome.deferral : null;
}

/** The server takes no second recipient in a transaction: a fresh one may still be possible in the same session. */
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
