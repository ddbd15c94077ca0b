import type { SessionResult } from '../limits/connection-request.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { NOBODY, type RecipientSource } from '../recipients/recipient-queue.ts';
import { isSentAway } from '../session/session-failure.ts';
import type { Held } from '../pool/held-session.ts';
import { consequenceOf } from './consequence.ts';
import type { HostProbe } from './host-probe.ts';
import { newVisitRecord } from './visit-record.ts';
import { howItWent, isJudgement, isPlain, isRecalled, judgedIn } from './trust.ts';

/** What one parallel session came to. `sent_away`: the server complained of us, or others want the place. `idle`: there was nobody to ask about. */
export type ParallelResult = 'asked' | 'failed' | 'sent_away' | 'idle';

/**
 * One session in parallel to a visit's own: for the made-up mailbox if that is due, since it decides on all who were accepted,
 * or for recipients that wait for the visit's own session. What fails in it is no evidence.
 */
export async function askInParallel(host: HostProbe): Promise<ParallelResult> {
  const { sessions, catchAll, probe, target } = host;
  const forMadeUp = sessions.budget.isSlow && catchAll.owed && !host.asksMadeUp;
  if (!host.hasTime || (!forMadeUp && host.waiting.left === 0)) return 'idle';
  if (forMadeUp) host.asksMadeUp = true;
  try {
    const held = await sessions.acquire(probe, target, { use: 'own', forMadeUp, early: false, helps: true });
    if (held.kind !== 'open') return isSentAway(held) ? 'sent_away' : 'failed';
    if (held.permit.allowance.left() > 0) return await ask(host, held, forMadeUp);
    sessions.release(held, 'quit', 'neutral');
    return 'idle';
  } finally {
    if (forMadeUp) host.asksMadeUp = false;
  }
}

async function ask(host: HostProbe, held: Held, forMadeUp: boolean): Promise<ParallelResult> {
  const { session, permit } = held;
  const recipients: RecipientProbe[] = [];
  const lent: RecipientSource = {
    get left() {
      return host.waiting.left;
    },
    next: () => {
      const recipient = host.lend();
      if (recipient !== undefined) recipients.push(recipient);
      return recipient;
    },
  };
  let sessionResult: SessionResult = 'neutral';
  let isSilent = true;
  try {
    const result = await host.ask(session, {
      queue: forMadeUp ? NOBODY : lent,
      smtpUtf8: false,
      allowance: permit.allowance,
      isDue: permit.isDue,
      madeUp: forMadeUp ? 'owed' : 'known',
      test: null,
    });
    const { answers, ending } = result;
    isSilent = ending.kind === 'silent';
    const isTrusted = isPlain(result);
    if (!isTrusted) host.clientRefusals.startOver();
    host.hear(isTrusted ? result : judgedIn(result));
    if (isTrusted && isSilent && !isRecalled(result)) {
      // The batch has ended: recipients without an answer were asked about too late.
      const { evidence, blame } = consequenceOf(
        { kind: 'asked', alone: forMadeUp, ending, recipients, answered: answers.length, refusedAlike: null },
        newVisitRecord(false, false),
      );
      if (evidence !== null) host.blame(evidence, blame);
    }
    sessionResult = howItWent(session.complaint, answers.some(isJudgement));
    if (isRecalled(result)) return 'sent_away';
    if (isTrusted) return 'asked';
    return session.complaint === null ? 'failed' : 'sent_away';
  } finally {
    host.giveBack(recipients);
    host.sessions.release(held, isSilent ? 'destroy' : 'quit', sessionResult);
  }
}
