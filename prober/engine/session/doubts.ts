import type { Ends } from '../ports/cancel.ts';
import type { Session } from './session.ts';

// A domain may get a reply in a shared session which was meant for the domains before it. It was not meant for them if
// the session goes on to judge another domain's mailbox: then it had not had enough.

/**
 * @param signal fires when the domain's batch ends
 * @returns whether the reply counts; not if the session or the batch ends before that is known
 */
export function waitForBelief({ doubts }: Session, signal: Ends): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isBelieved: boolean): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(isBelieved);
    };
    const giveUp = (): void => settle(false);
    signal.addEventListener('abort', giveUp);
    doubts.push(settle);
  });
}

/** The session has judged another domain's mailbox, or has ended. */
export function settleDoubts({ doubts }: Session, isBelieved: boolean): void {
  for (const settle of doubts.splice(0)) settle(isBelieved);
}
