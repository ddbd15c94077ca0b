import type { SessionResult } from '../limits/connection-request.ts';
import type { Target } from '../targets/targets.ts';
import type { Acceptances } from '../catch-all/acceptances.ts';
import type { SessionEnd } from './dialogue.ts';
import type { DomainProbe } from './domain-probe.ts';
import type { Helped } from './helpers.ts';
import type { Findings } from '../session/findings.ts';
import type { Asked } from '../session/transaction.ts';
import { openAtPace } from './open-at-pace.ts';
import type { Rapport } from '../session/rapport.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { Session } from '../session/session.ts';
import type { Held, SharedHost } from '../sharing/shared-sessions.ts';
import { howItWent, isJudgement, isPlain, isSentAway, judgedIn } from './trust.ts';
import { NOBODY_WAITS, NotedLine, type Waiting } from '../recipients/recipient-queue.ts';

/** What a visit lends to the sessions beside its own. */
export type Lent = {
  readonly probe: DomainProbe;
  readonly target: Target;
  readonly implicit: boolean;
  readonly shared: SharedHost;
  readonly rapport: Rapport;
  readonly acceptances: Acceptances;
  /** Those who wait for the visit's own session. */
  readonly waiting: () => Waiting;
  /** Whether an answer can still be had before the batch ends. */
  readonly hasTime: () => boolean;
  readonly inquire: (session: Session, asked: Asked) => Promise<Findings>;
  /** Notes what was said of mailboxes. */
  readonly hear: (found: Pick<Findings, 'answers' | 'madeUp'>) => void;
  /** Notes what the end of a session means for those who were asked about in it. */
  readonly conclude: (end: SessionEnd) => void;
};

/** Sessions beside a visit's own, each for one helper. */
export class Beside {
  readonly #visit: Lent;
  readonly #askedAbout = new Set<RecipientProbe>();
  /** A session that was opened for the made-up mailbox, here or by the visit, is at it. */
  asksMadeUp = false;

  constructor(visit: Lent) {
    this.#visit = visit;
  }

  asksAbout(recipient: RecipientProbe): boolean {
    return this.#askedAbout.has(recipient);
  }

  /** One session: for the made-up mailbox if that is due, since it decides on all who were accepted, or for those who wait. */
  async help(): Promise<Helped> {
    const { probe, target, implicit, shared, rapport, acceptances, waiting, hasTime } = this.#visit;
    const forMadeUp = rapport.isSlow && acceptances.owed && !this.asksMadeUp;
    if (!hasTime() || (!forMadeUp && waiting().left === 0)) return 'idle';
    if (forMadeUp) this.asksMadeUp = true;
    await shared.take({ ownOnly: true, forMadeUp }, probe.signal);
    try {
      const opened = await openAtPace(probe, target, implicit, false);
      if (opened.kind === 'open') {
        if (opened.place.allowance.left() > 0) return await this.#ask(opened, forMadeUp);
        opened.session.wire.quit();
        opened.place.release('neutral');
        return 'idle';
      }
      if (opened.kind === 'crowded') shared.bears(opened.bears);
      return isSentAway(opened) ? 'sent_away' : 'failed';
    } finally {
      shared.ended();
      if (forMadeUp) this.asksMadeUp = false;
    }
  }

  async #ask({ session, place }: Held, forMadeUp: boolean): Promise<Helped> {
    const { rapport, waiting, inquire, hear } = this.#visit;
    const taken: RecipientProbe[] = [];
    const noted = new NotedLine(waiting, (recipient) => {
      taken.push(recipient);
      this.#askedAbout.add(recipient);
    });
    let leaving: SessionResult = 'neutral';
    let isSilent = true;
    try {
      const found = await inquire(session, {
        waiting: forMadeUp ? NOBODY_WAITS : noted,
        smtpUtf8: false,
        allowance: place.allowance,
        madeUp: forMadeUp ? 'owed' : 'known',
      });
      isSilent = found.ending.kind === 'silent';
      const isTrusted = isPlain(found);
      if (!isTrusted) rapport.startOver();
      hear(isTrusted ? found : judgedIn(found));
      if (isTrusted && isSilent) this.#concludeLate(found, taken, forMadeUp);
      leaving = howItWent(session, found.answers.some(isJudgement));
      if (isTrusted) return 'helped';
      return session.complaint === null ? 'failed' : 'sent_away';
    } finally {
      for (const recipient of taken) this.#askedAbout.delete(recipient);
      if (isSilent) session.wire.destroy();
      else session.wire.quit();
      place.release(leaving);
    }
  }

  /** The batch has ended: who was asked about then was asked about too late. */
  #concludeLate({ answers, ending }: Findings, recipients: readonly RecipientProbe[], alone: boolean): void {
    const answered = answers.length;
    this.#visit.conclude({ kind: 'asked', alone, ending, recipients, answered, refusedAlike: null });
  }
}
