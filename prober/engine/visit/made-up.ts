import type { Deferral, MadeUpFate, Outcome } from '../../../schema/evidence.ts';
import { whyNotLearnt } from '../../../schema/outcomes.ts';
import type { Classified } from '../meaning/classify.ts';
import { deferralOf, type ReadReply } from '../meaning/outcome.ts';
import type { Random } from '../ports/ports.ts';

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = 9;

/** A local part that looks like a name and that nobody has: 18 letters, 56 bits of chance. */
export function madeUpLocal(random: Random): string {
  let local = '';
  for (let i = 0; i < SYLLABLES; i += 1) local += pick(CONSONANTS, random) + pick(VOWELS, random);
  return local;
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

function pick(letters: string, random: Random): string {
  return letters[Math.floor(random() * letters.length)] ?? letters.slice(0, 1);
}
