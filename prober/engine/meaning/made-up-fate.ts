import type { Deferral, MadeUpFate, Outcome } from '../../../schema/evidence.ts';
import { isUnprobed, whyNotLearnt } from '../../../schema/outcomes.ts';
import { deferralOf, type ReadReply } from './outcome.ts';
import { readText, withoutNames } from './words/gist.ts';

// What is learnt by the made-up mailbox, from the reply to it or from what kept it from being asked about.

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
  if (isUnprobed(outcome)) return outcome.waitS === null ? null : { cause: 'busy', askedS: outcome.waitS };
  return 'deferral' in outcome && outcome.deferral?.cause !== 'full' ? outcome.deferral : null;
}
