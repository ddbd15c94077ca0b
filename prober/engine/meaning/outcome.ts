import type { Deferral, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import type { Classified } from './classify.ts';
import { MEANINGS } from './rules/meanings.ts';
import type { Recipient, Stage } from '../ports/ports.ts';
import { refusesRecipient } from './rules/vague.ts';
import type { Reply } from '../smtp/wire/reply.ts';
import type { Silence } from '../smtp/wire/connection.ts';

// From one reply, or none, to the evidence that it is.

/** Classifies a reply; the engine's own function is `classify`. */
export type Classify = (stage: Stage, reply: Reply, recipient?: Recipient) => Classified;

/** A reply and its meaning. */
export type ReadReply = { readonly reply: Reply; readonly said: Classified };

/** An acceptance. Its worth is known once the result of the made-up mailbox is. */
export type Taken = { readonly kind: 'taken'; readonly reply: SmtpReply };

/** A refusal to relay: a verdict once every other reachable host of the domain says so too. */
export type RelayDenied = { readonly kind: 'relay_denied'; readonly reply: SmtpReply };

export function readReply(classify: Classify, stage: Stage, reply: Reply, recipient?: Recipient): ReadReply {
  return { reply, said: classify(stage, reply, recipient) };
}

/** The reply as part of evidence: without its words. */
export function withoutWords(reply: Reply): SmtpReply {
  return { code: reply.code, enhanced: reply.enhanced };
}

export function deferralOf(said: Classified): Deferral {
  return said.deferral ?? { cause: 'busy', askedS: null };
}

/** The evidence of a demand for TLS that could not be met: the refusal that demanded it. */
export function outcomeOfDemand({ stage, answer }: { stage: 'mail' | 'rcpt'; answer: ReadReply }): Outcome {
  if (stage === 'mail') return { kind: 'mail_from_rejected' };
  return { kind: 'policy_rejected', reply: withoutWords(answer.reply) };
}

/** A reply before RCPT that stops us. `refusal` is the meaning of a 5xx at that stage. */
export function outcomeBeforeRcpt({ reply, said }: ReadReply, refusal: Outcome): Outcome {
  if (reply.code >= 400 && reply.code < 500) return { kind: 'deferred', deferral: deferralOf(said) };
  if (reply.code >= 500) return refusal;
  return { kind: 'unexpected_code', reply: withoutWords(reply) };
}

/** The evidence of a reply to RCPT, as far as the reply alone shows. */
export function outcomeOfRcpt({ reply, said }: ReadReply): Outcome | Taken | RelayDenied {
  const words = withoutWords(reply);
  switch (said.meaning) {
    case 'accepted':
      return { kind: 'taken', reply: words };
    case 'relay_denied':
      return { kind: 'relay_denied', reply: words };
    case 'no_such_mailbox':
      return { kind: 'no_such_mailbox', reply: words, ...(said.by === 'controls' && { basis: 'controls' }) };
    case 'mailbox_full':
      return { kind: 'mailbox_full', reply: words, deferral: said.deferral };
    case 'deferred':
      return { kind: 'rcpt_deferred', reply: words, deferral: deferralOf(said) };
    case 'policy_rejected':
      return { kind: 'policy_rejected', reply: words };
    case 'unexpected':
      return { kind: 'unexpected_code', reply: words };
  }
}

/** We had too many connections: that says nothing about server and domain. */
export const UNPROBED_FOR_OURS: Outcome = { kind: 'unprobed', why: 'cooldown', waitS: 60 };

/** No reply after the greeting. Null if the batch ended: that is no evidence. */
export function outcomeOfSilence(silence: Silence): Outcome | null {
  switch (silence) {
    case 'lost':
      return { kind: 'connection_error', greeted: true };
    case 'timeout':
      return { kind: 'timeout', greeted: true };
    case 'garbage':
      return { kind: 'protocol_error', reply: null, greeted: true };
    case 'ended':
      return null;
  }
}

/**
 * Whether a reply says that we ask too much or are not welcome, which starts a cool-down of the provider: 421, or a
 * 4.7.x or 5.7.x about the client. Greylisting does not count, nor does a demand for TLS.
 */
export function isAboutClient({ reply, said }: ReadReply): boolean {
  if (said.demandsTls) return false;
  if (reply.code === 421) return true;
  if (reply.code >= 500)
    return MEANINGS[said.meaning].refusesUs && reply.enhanced?.startsWith('5.7.') === true && !refusesRecipient(said);
  return said.deferral?.cause === 'busy' && reply.enhanced?.startsWith('4.7.') === true;
}
