import { MEANINGS } from '../meaning/classify.ts';
import { outcomeOfRcpt, type ReadReply } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { TransactionResult } from '../session/transaction-result.ts';
import type { Complaint } from '../limits/server/complaint.ts';

// What may be believed of a session that was not a domain's own from the first: one that had served others before, one
// that was talked to early, one beside others.

/** Whether all that was said holds in any session, or we alone cut it off. */
export function isPlain({ answers, madeUp, ending }: TransactionResult): boolean {
  if (ending.kind === 'silent') return ending.silence === 'ended';
  return ending.kind === 'finished' && answers.every(isOfAllSessions) && (madeUp === null || isOfAllSessions(madeUp));
}

/** All that was said is of all sessions, or what another host of the domain had said of the same recipient. */
export function isSaidBefore({ answers, madeUp, ending }: TransactionResult): boolean {
  if (ending.kind !== 'finished' || madeUp !== null) return false;
  return answers.every(
    (answer) => isOfAllSessions(answer) || answer.recipient.best?.kind === outcomeOfRcpt(answer).kind,
  );
}

/** Some were judged, and the others not in time: in a tarpit because of those before them. */
export function isCutShort({ answers, ending }: TransactionResult): boolean {
  return ending.kind === 'silent' && ending.silence === 'timeout' && answers.some(isJudgement);
}

/** About a mailbox, or greylisting, which goes by client, sender and recipient. */
export function isOfAllSessions(answer: ReadReply): boolean {
  return isJudgement(answer) || (answer.said.deferral?.cause === 'greylisting' && !answer.said.endsSession);
}

/** What a server said before anybody was named holds, no matter what followed; a refusal at RCPT means little beside a judgement. */
export function howItWent(complaint: Complaint | null, served: boolean): SessionResult {
  if (complaint?.when === 'opening') return complaint;
  return served ? 'served' : (complaint ?? 'neutral');
}

/** Where the server put the session off because of how much we ask; null if it did not. */
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

/** What counts of a session that may have gone wrong because of others. */
export function judgedIn({ answers, madeUp }: TransactionResult): Pick<TransactionResult, 'answers' | 'madeUp'> {
  return {
    answers: answers.filter(isOfAllSessions),
    madeUp: madeUp !== null && isOfAllSessions(madeUp) ? madeUp : null,
  };
}
