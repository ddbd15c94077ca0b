import type { Outcome } from '../../../schema/evidence.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Complaint } from '../limits/complaint.ts';
import { outcomeOfDemand } from '../meaning/outcome.ts';
import type { Fate, Held } from '../site/held-session.ts';
import type { Crowded } from '../site/open-session.ts';
import { pause } from '../ports/cancel.ts';
import type { RecipientProbe } from './recipient.ts';
import { NOBODY, RecipientQueue } from './recipient-queue.ts';
import { secureSession } from '../smtp/session.ts';
import type { Session } from '../smtp/session.ts';
import { type Failed, isSentAway } from '../smtp/failure.ts';
import type { TransactionEnd, TransactionResult } from '../smtp/transaction-plan.ts';
import type { Target } from '../targets/targets.ts';
import type { Onward, Way } from './next-step.ts';
import type { DomainProbe } from '../domain-probe.ts';
import { HostProbe } from './host-probe.ts';
import { ParallelSessions } from './parallel.ts';
import { putToTest } from './put-to-test.ts';
import { howItWent, isCutShort, isPlain, judgedIn, judges, putOffAt } from './trust.ts';

// One visit takes one session after the other:
//
//     next session ─► ask ─► judge ─► the replies count                ─► where to ask next: `consequence.ts`
//          └──────────────────┴─────► only verdicts and greylisting count, and the others are asked about again

/** If TLS was our own choice, the lack of it is no evidence. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

const AGAIN_AFTER_MS = 250;

/** How a session is given up, and where to ask next. */
type Parting = {
  readonly way: Way;
  readonly fate: Fate;
  readonly result: SessionResult;
  /** It failed beside others: they may be the reason. */
  readonly isCrowded?: boolean;
};

/** Asks at one address of one MX host, in as many sessions as its recipients need. */
export class Visit {
  readonly #host: HostProbe;
  readonly #parallel: ParallelSessions;
  /** The sessions that it has used here. */
  readonly #had: Session[] = [];
  /** STARTTLS is our own choice, or was demanded here before, and has not failed as a choice yet. */
  #tlsFirst: boolean;
  /** Takes no session that served another domain: an implicit MX has none, and elsewhere one has failed this domain. */
  #own: boolean;
  /** Sends commands before the greeting of a server that offered PIPECONNECT, until it breaks its offer. */
  #early: boolean;

  constructor(probe: DomainProbe, target: Target) {
    this.#host = new HostProbe(probe, target);
    this.#parallel = new ParallelSessions(this.#host);
    this.#tlsFirst = probe.tools.settings.startTls === 'always';
    this.#own = !probe.mxFound;
    this.#early = probe.mxFound && !this.#tlsFirst;
  }

  /** Asks until every recipient was answered or the server is of no further use; returns where to go with the rest. */
  async run(): Promise<Onward> {
    try {
      for (let way: Way = 'same_address'; ;) {
        if (way !== 'same_address') this.#host.leaveRest();
        const recipients = this.#next(way);
        if (recipients !== null) way = await this.#askInSession(recipients);
        else if (this.#parallel.state === 'none') break;
        else {
          await this.#parallel.done();
          way = 'same_address';
        }
      }
    } finally {
      // However the visit ended, parallel sessions take no more recipients, and none is left running.
      this.#host.waiting = NOBODY;
      try {
        await this.#parallel.done();
      } finally {
        this.#host.sessions.leave();
      }
    }
    this.#host.close();
    return this.#host.onward;
  }

  /** The recipients of the next session, none for the made-up mailbox alone; null: none, or not yet. */
  #next(way: Way): readonly RecipientProbe[] | null {
    const { probe, hasTime, catchAll } = this.#host;
    if (probe.ended || !hasTime || this.#parallel.state === 'dismissed') return null;
    const recipients = way !== 'same_address' ? [] : this.#host.forNextSession();
    return recipients.length > 0 || catchAll.owed ? recipients : null;
  }

  /** Asks in one session, and releases it: the only way out of a session. */
  async #askInSession(recipients: readonly RecipientProbe[]): Promise<Way> {
    const { sessions, catchAll, probe, target } = this.#host;
    catchAll.begin();
    const held = await sessions.acquire(probe, target, {
      // Where others were refused before, a refusal of the made-up mailbox would be in doubt.
      use: catchAll.owed || this.#own ? 'own' : 'shared',
      early: this.#early && recipients[0]?.utf8 !== true,
      except: this.#had,
    });
    if (held.kind !== 'open') return this.#hadNone(held, recipients.length === 0);
    this.#had.push(held.session);
    let parting: Parting | null = null;
    try {
      parting = await this.#converse(held, recipients);
      this.#host.report(held, parting.result);
    } finally {
      sessions.release(held, parting?.fate ?? 'destroy');
    }
    if (parting.isCrowded === true) await this.#pause();
    return parting.way;
  }

  /** A server may take a while to notice that a connection has ended, and refuse the next one until then. */
  #pause(): Promise<void> {
    const { tools, signal } = this.#host.probe;
    return pause(tools.ports.clock, AGAIN_AFTER_MS, signal);
  }

  /** No session could be had: it is retried, or the address is given up. */
  async #hadNone(acquired: Failed | Crowded, alone: boolean): Promise<Way> {
    // A failure beside other sessions is no evidence.
    if (this.#parallel.state !== 'none') this.#parallel.lessen(isSentAway(acquired));
    else if (acquired.kind === 'failed')
      return this.#host.conclude({ kind: 'failed', failure: acquired.failure, alone });
    await this.#pause();
    return 'same_address';
  }

  /** Asks, and again after STARTTLS if the server demands it. */
  async #converse(held: Held, wanted: readonly RecipientProbe[]): Promise<Parting> {
    const { session, permit } = held;
    const { sessions, clientRefusals } = this.#host;
    let isServed = false;
    const part = (way: Way, fate: Fate): Parting => ({ way, fate, result: howItWent(session.complaint, isServed) });
    session.complaint = null;
    this.#host.since ??= permit.streak();
    sessions.budget.bySoftware({ isPatient: session.patient, isTarpit: session.offers.tarpit });
    if (
      this.#tlsFirst &&
      !session.secure &&
      session.offers.startTls &&
      (await secureSession(session, false, CHOSEN)) !== null
    ) {
      this.#tlsFirst = false;
      return part('same_address', 'over');
    }
    for (let continues = false; ;) {
      const wasEarly = session.early !== null;
      if (!wasEarly) this.#noteOpen(held);
      const recipients = this.#whomToAsk(session, wanted);
      if (recipients.length === 0 && this.#host.catchAll.plan(true) !== 'owed') return part('same_address', this.#open);
      if (continues && !this.#hasRoom(held)) return part('same_address', 'quit');
      const result = await this.#ask(held, recipients, continues);
      if (wasEarly && session.early === null) this.#noteOpen(held);
      const doubted = this.#doubt(held, result, wasEarly);
      if (doubted !== null) return doubted;
      const { ending, second } = result;
      // A test needs a session that is shared with no one and parallel to none.
      const isAlone = session.turn === 0 && this.#parallel.state === 'none';
      const tested =
        second !== null && isAlone && !clientRefusals.refused
          ? await putToTest(this.#host, held, result, second)
          : null;
      const heard = tested?.result ?? result;
      isServed ||= judges(heard);
      const way = this.#believe(heard, recipients);
      if (ending.kind === 'limit' && tested === null && way === 'same_address') {
        continues = true;
        continue;
      }
      if (ending.kind !== 'tls_demanded') return part(way, this.#fateAfter(tested?.last ?? ending));
      const refusal = outcomeOfDemand(ending.stage, ending.answer);
      const blocked = await secureSession(session, ending.stage === 'rcpt', refusal);
      if (blocked === null) {
        this.#tlsFirst = true;
        continues = false;
        continue;
      }
      const alone = wanted.length === 0;
      return part(this.#host.conclude({ kind: 'failed', failure: blocked.failure, alone }), 'over');
    }
  }

  /** It has greeted, and answered EHLO. */
  #noteOpen({ session, permit }: Held): void {
    const { probe, target } = this.#host;
    permit.accepted();
    probe.noteGreeted(target.host, session.offers.smtpUtf8);
  }

  /** Those of the recipients that can be asked about now. */
  #whomToAsk({ offers }: Session, recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    const remaining = recipients.filter((recipient) => this.#host.isAskable(recipient));
    if (offers.smtpUtf8 || remaining[0]?.utf8 !== true) return remaining;
    // Without SMTPUTF8, a recipient whose local part is not ASCII cannot be named (RFC 6531 §3.4).
    this.#host.leave(remaining);
    return [];
  }

  #hasRoom({ session: { asked }, permit }: Held): boolean {
    const { budget } = this.#host.sessions;
    return asked.refusals < budget.refusalsMax && asked.recipients < budget.recipientsMax && !permit.isDue();
  }

  #ask(
    { session, permit }: Held,
    recipients: readonly RecipientProbe[],
    continues: boolean,
  ): Promise<TransactionResult> {
    const queue = new RecipientQueue(recipients, this.#host);
    const smtpUtf8 = recipients[0]?.utf8 ?? false;
    const callForHelp = (): void => {
      if (!this.#tlsFirst && this.#host.wantsParallel && !permit.isDue()) this.#parallel.call();
    };
    this.#host.waiting = smtpUtf8 ? NOBODY : queue;
    // Unexplained replies may be tested in a session that has served no one else.
    const test = session.turn === 0 ? this.#host.mayTest : null;
    const madeUp = this.#host.catchAll.plan(recipients.length === 0);
    return this.#host.ask(session, { queue, smtpUtf8, continues, permit, madeUp, test, onNamed: callForHelp });
  }

  /** The replies count. @returns where to ask next, by how the transaction ended */
  #believe(result: TransactionResult, recipients: readonly RecipientProbe[]): Way {
    const { answers, ending } = result;
    if (ending.kind === 'void') this.#own = true;
    this.#host.hear(result);
    const refusedAlike = this.#host.clientRefusals.refused ? (answers.at(-1) ?? null) : null;
    return this.#host.conclude({ kind: 'asked', ending, recipients, answered: answers.length, refusedAlike });
  }

  /** What follows if the replies may be due to something other than the mailboxes; null: they count. */
  #doubt({ session, permit }: Held, result: TransactionResult, wasEarly: boolean): Parting | null {
    const { turn, complaint } = session;
    const { sessions } = this.#host;
    const isAlone = this.#parallel.state === 'none';
    const isOwn = turn === 0 && isAlone && !wasEarly;
    // Other complaints are ignored.
    const putOff = isOwn ? putOffAt(complaint) : null;
    if (putOff !== null && permit.deferred(putOff)) return this.#putOff(result, complaint);
    if (isPlain(result)) return null;
    if (wasEarly) this.#early = false;
    const isCutByOthers = sessions.budget.refusalMs > 0 && isCutShort(result);
    return !isOwn || isCutByOthers ? this.#distrust(result, session) : null;
  }

  /** A session shared with earlier domains, parallel to another, or with early commands has failed this domain. */
  #distrust(result: TransactionResult, { complaint, turn }: Session): Parting {
    const isCrowded = this.#parallel.state !== 'none';
    if (isCrowded || complaint !== null) this.#parallel.lessen(complaint !== null);
    return {
      way: 'same_address',
      fate: this.#fateAfter(result.ending),
      result: this.#askAgain(result, turn > 0),
      isCrowded,
    };
  }

  /**
   * The server deferred the session, apparently because of our number of connections. Recipients without a verdict are
   * asked about again when the limits allow it; not if it was said at RCPT, which the limits do not learn.
   */
  #putOff(result: TransactionResult, complaint: Complaint | null): Parting {
    const isAtRcpt = complaint?.when === 'rcpt';
    const isServed = this.#askAgain(result) === 'served';
    return {
      way: isAtRcpt ? this.#host.conclude({ kind: 'put_off' }) : 'same_address',
      fate: result.ending.kind === 'silent' ? 'destroy' : 'quit',
      // What one domain says at RCPT counts as always: several in a row start a cool-down.
      result: howItWent(isAtRcpt ? complaint : null, isServed),
    };
  }

  /** What counts in any session is heard; recipients without it are asked about again in a session of their own. */
  #askAgain(result: TransactionResult, isShared = false): 'served' | 'neutral' {
    const judged = judgedIn(result);
    this.#host.clientRefusals.startOver(isShared);
    this.#host.hear(judged);
    this.#own = true;
    return judges(judged) ? 'served' : 'neutral';
  }

  #fateAfter(ending: TransactionEnd): Fate {
    if (ending.kind === 'silent' || ending.kind === 'void') return 'destroy';
    return ending.kind === 'finished' || ending.kind === 'limit' ? this.#open : 'quit';
  }

  /** An open session is handed on; an implicit MX has no other domains. */
  get #open(): Fate {
    return this.#host.probe.mxFound ? 'hand_on' : 'quit';
  }
}
