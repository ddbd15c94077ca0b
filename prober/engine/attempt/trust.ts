import { MEANINGS } from '../meaning/classify.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { TransactionResult } from '../smtp/transaction-plan.ts';
import type { Complaint } from '../limits/complaint.ts';

// What can be trusted in a session that was not a domain's own from the start: one that had served others before, one
// with early commands, one parallel to others.

/** Whether everything that was said counts in any session, or only we cut it off. */
export function isPlain({ answers, madeUp, ending }: TransactionResult): boolean {
  if (ending.kind === 'silent') return ending.silence === 'ended';
  if (ending.kind !== 'finished' && ending.kind !== 'limit') return false;
  return answers.every(isOfAllSessions) && (madeUp === null || isOfAllSessions(madeUp));
}

/** Some were judged, the others not in time: in a tarpit because of those before them. */
export function isCutShort({ answers, ending }: TransactionResult): boolean {
  return ending.kind === 'silent' && ending.silence === 'timeout' && answers.some(isJudgement);
}

/** About a mailbox, or greylisting, which depends on client, sender and recipient. */
export function isOfAllSessions(answer: ReadReply): boolean {
  return isJudgement(answer) || (answer.said.deferral?.cause === 'greylisting' && !answer.said.endsSession);
}

/** A complaint before any recipient counts in any case; a refusal at RCPT means little beside a verdict. */
export function howItWent(complaint: Complaint | null, served: boolean): SessionResult {
  if (complaint?.when === 'opening') return complaint;
  return served ? 'served' : (complaint ?? 'neutral');
}

/** Where the server deferred the session because of our rate; null if it did not. */
export function putOffAt(complaint: Complaint | null): 'mail' | 'rcpt' | null {
  if (complaint?.why !== 'asked_too_much' || complaint.isAboutRate !== true) return null;
  return complaint.when === 'opening' ? 'mail' : 'rcpt';
}

export function isJudgement({ said }: ReadReply): boolean {
  return MEANINGS[said.meaning].judges;
}

/** Whether a mailbox was judged, the made-up one included. */
export function judges({ answers, madeUp }: Pick<TransactionResult, 'answers' | 'madeUp'>): boolean {
  return answers.some(isJudgement) || (madeUp !== null && isJudgement(madeUp));
}

/** What counts in a session that may have gone wrong because of others. */
export function judgedIn({ answers, madeUp }: TransactionResult): Pick<TransactionResult, 'answers' | 'madeUp'> {
  return {
    answers: answers.filter(isOfAllSessions),
    madeUp: madeUp !== null && isOfAllSessions(madeUp) ? madeUp : null,
  };
}
