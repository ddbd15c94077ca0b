import type { Deferral, MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { whyNotLearnt } from '../../../schema/outcomes.ts';
import type { Classified } from '../meaning/classify.ts';
import { isEveryNth } from '../meaning/controls.ts';
import { deferralOf, type ReadReply } from '../meaning/outcome.ts';
import { readText, withoutNames } from '../meaning/words/gist.ts';
import type { Random } from '../ports/ports.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';

/** A local part that looks like a name but belongs to no one: 18 letters, 56 random bits. */
export function madeUpLocal(random: Random): string {
  let word = '';
  for (let i = 0; i < 9; i += 1) word += pick(CONSONANTS, random) + pick(VOWELS, random);
  return word;
}

/** Only the refusal of the made-up mailbox as a mailbox proves that the server distinguishes mailboxes. */
export function fateOf(answer: ReadReply): MadeUpFate {
  const { reply, said } = answer;
  switch (said.meaning) {
    case 'accepted':
      return { kind: 'accepted' };
    case 'no_such_mailbox':
    case 'relay_denied': // the server took a recipient, so it serves the domain; it knows no route for this one
      if (!isAboutRate(answer)) return { kind: 'refused' };
      return { kind: 'not_learnt', why: 'policy_rejected', deferral: null };
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

/** This many refusals at a regular interval are unlikely to be due to the list of addresses. */
const REGULAR_REFUSALS = 3;

/** Whether a refusal after these replies would fit a server that refuses every nth recipient: exactly those were. */
export function isRegular(before: readonly ReadReply[]): boolean {
  const refused = [...before.map(({ reply }) => reply.code >= 400), true];
  const interval = refused.indexOf(true) + 1;
  return interval > 1 && refused.length >= REGULAR_REFUSALS * interval && isEveryNth(refused);
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

function pick(from: string, random: Random): string {
  return from[Math.floor(random() * from.length)] ?? from.slice(0, 1);
}
