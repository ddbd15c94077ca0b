import type { ReadReply } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/connection-request.ts';
import type { Findings } from '../session/findings.ts';
import type { Session } from '../session/session.ts';
import type { Failed } from '../session/setback.ts';

// What may be believed of a session that was not a domain's own from the first: one that had served others before, one
// that was talked to early, one beside others.

/** Whether all that was said holds in whatever session it is said, or the batch's end alone cut it off. */
export function isPlain({ answers, madeUp, ending }: Findings): boolean {
  if (ending.kind === 'silent') return ending.silence === 'ended';
  return ending.kind === 'finished' && answers.every(isOfAllSessions) && (madeUp === null || isOfAllSessions(madeUp));
}

/** Some were judged, and the others not in time: in a tarpit because of those before them. */
export function isCutShort({ answers, ending }: Findings): boolean {
  return ending.kind === 'silent' && ending.silence === 'timeout' && answers.some(isJudgement);
}

/** About a mailbox, or greylisting, which goes by client, sender and recipient. */
export function isOfAllSessions(answer: ReadReply): boolean {
  return isJudgement(answer) || (answer.said.deferral?.cause === 'greylisting' && !answer.said.endsSession);
}

/** What a server said before anybody was named holds, whatever followed; a refusal at RCPT means little beside a judgement. */
export function howItWent({ complaint }: Session, served: boolean): SessionResult {
  if (complaint?.when === 'opening') return complaint;
  return served ? 'served' : (complaint ?? 'neutral');
}

export function isJudgement({ said }: ReadReply): boolean {
  return said.meaning === 'accepted' || said.meaning === 'no_such_mailbox' || said.meaning === 'mailbox_full';
}

/** No session was to be had because the server complains of us, or rests because it did. */
export function isSentAway({ setback }: Pick<Failed, 'setback'>): boolean {
  return setback.complaint !== null || setback.stage === 'pace';
}

/** No session was to be had, perhaps because there are others with the same server. What is not SMTP has another cause. */
export function isOfCrowd({ setback: { stage, cause } }: Failed): boolean {
  return stage !== 'pace' && (cause === 'refused' || cause === 'lost' || cause === 'timeout');
}

/** What counts of a session that may have gone wrong because of others. */
export function judgedIn({ answers, madeUp }: Findings): Pick<Findings, 'answers' | 'madeUp'> {
  return {
    answers: answers.filter(isOfAllSessions),
    madeUp: madeUp !== null && isOfAllSessions(madeUp) ? madeUp : null,
  };
}
