import type { Outcome } from '../../../schema/evidence.ts';
import { testable } from '../meaning/controls.ts';
import { outcomeOfDemand, outcomeOfRcpt } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { NOBODY, RecipientQueue } from '../recipients/recipient-queue.ts';
import type { MadeUpPlan } from '../session/next-command.ts';
import { secureSession } from '../session/secure.ts';
import type { Session } from '../session/session.ts';
import { type Failed, isSentAway } from '../session/session-failure.ts';
import type { TransactionEnd, TransactionResult } from '../session/transaction-result.ts';
import { allowanceUsedUp, type Crowded } from '../pool/open-session.ts';
import type { Fate, Held } from '../pool/held-session.ts';
import type { Target } from '../targets/targets.ts';
import { consequenceOf, NO_TALLY, type Onward, type SessionEnd, type Way } from './consequence.ts';
import type { DomainProbe } from './domain-probe.ts';
import { HostProbe } from './host-probe.ts';
import { ParallelSessions, pauseAfter } from './parallel.ts';
import { putToTest } from './put-to-test.ts';
import {
  howItWent,
  isCutShort,
  isJudgement,
  isOfAllSessions,
  isPlain,
  isRecalled,
  judgedIn,
  putOffAt,
} from './trust.ts';

/** If TLS was our own choice, that it is not to be had is evidence of nothing. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };
/** Sessions in a row that are put off because of our crowd before the server is left alone. */
const PUT_OFF_MAX = 3;

/** The session under way. */
type Current = {
  readonly held: Held;
  /** Those it was acquired for; none: for the made-up mailbox alone. */
  readonly recipients: readonly RecipientProbe[];
  /** A mailbox was judged in it. */
  served: boolean;
};

/** How a session is parted with, and where to ask next. */
type Parting = {
  readonly way: Way;
  readonly fate: Fate;
  readonly result: SessionResult;
  /** It failed beside others: that may be because of them. */
  readonly isCrowded?: boolean;
  /** What may have been meant for the domains that it served before. */
  readonly provisional?: TransactionResult;
};

/**
 * Asks at one address of one MX host, in as many sessions as its recipients need: `run` takes one session after the other,
 * `#converse` asks in one, `#part` gives it back. Verdicts are reported as they are known; the other evidence is left with the
 * recipients and the domain. What a server did is believed as far as `trust.ts` allows; what the end of a session is
 * evidence of, and where to ask next, is said by `consequence.ts`.
 */
export class Visit {
  readonly #host: HostProbe;
  readonly #parallel: ParallelSessions;
  /** The sessions that it has had here. */
  readonly #had = new Set<Session>();
  /** Where to go once nobody is left to ask about here. */
  #onward: Onward = 'next_host';
  #tally = NO_TALLY;
  /** STARTTLS is our own choice, and has not failed here yet. */
  #tlsFirst: boolean;
  /** Only sessions that have served no other domain: an implicit MX has none, and elsewhere one has failed this domain. */
  #own: boolean;
  /** Talks to the server before it greets if it offered PIPECONNECT, until it did not do as it had offered. */
  #early: boolean;
  /** Sessions in a row that others left no room for, and that were put off at MAIL or RCPT because of our crowd. */
  #crowded = 0;
  #putOff = 0;
  /** How many domains the shared session had served that failed this one; null once it was served since. */
  #failedAfter: number | null = null;
  /** The row of refusals at the address when a shared session refused this domain. */
  #refusedSince: number | null = null;

  constructor(probe: DomainProbe, target: Target) {
    this.#host = new HostProbe(probe, target);
    this.#parallel = new ParallelSessions(this.#host);
    this.#own = !probe.mxFound;
    this.#tlsFirst = probe.tools.settings.startTls === 'always';
    this.#early = probe.mxFound && !this.#tlsFirst;
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Onward> {
    try {
      await this.#askAll();
    } finally {
      // However the visit ended, parallel sessions take no more recipients, and nothing of them is left.
      this.#host.waiting = NOBODY;
      try {
        await this.#parallel.done();
      } finally {
        this.#host.sessions.leave();
      }
    }
    this.#host.close();
    return this.#onward;
  }

  async #askAll(): Promise<void> {
    const { probe, catchAll } = this.#host;
    for (let way: Way = 'same_address'; ;) {
      if (way !== 'same_address') this.#host.leaveRest();
      if (probe.ended || !this.#host.hasTime) return;
      // A doubted made-up mailbox is asked about first, by a session that is asked nothing else.
      const recipients = way !== 'same_address' || catchAll.doubted ? [] : this.#host.forNextSession();
      const somebody = recipients.length > 0 || (catchAll.owed && !this.#host.asksMadeUp);
      if (!somebody && this.#parallel.state === 'none') return;
      if (somebody && this.#parallel.state !== 'dismissed') way = await this.#askInSession(recipients);
      else {
        await this.#parallel.done();
        way = 'same_address';
      }
    }
  }

  async #askInSession(recipients: readonly RecipientProbe[]): Promise<Way> {
    const { sessions, catchAll, probe, target } = this.#host;
    const forMadeUp = recipients.length === 0;
    catchAll.begin();
    this.#host.asksMadeUp ||= forMadeUp;
    let parting: { readonly way: Way; readonly isCrowded?: boolean };
    try {
      const acquired = await sessions.acquire(probe, target, {
        use: catchAll.doubted || this.#own ? 'own' : 'shared',
        forMadeUp: catchAll.owed,
        early: this.#early && recipients[0]?.utf8 !== true,
        except: this.#had,
      });
      parting = await (acquired.kind === 'open'
        ? this.#part({ held: acquired, recipients, served: false })
        : this.#hadNone(acquired, forMadeUp));
    } finally {
      if (forMadeUp) this.#host.asksMadeUp = false;
    }
    if (this.#parallel.state !== 'none') await this.#parallel.noteOwn(parting.isCrowded === true ? 'failed' : 'served');
    return parting.way;
  }

  /** No session was to be had: it is tried again, or the address is given up. */
  async #hadNone(
    acquired: Failed | Crowded,
    alone: boolean,
  ): Promise<{ readonly way: Way; readonly isCrowded?: boolean }> {
    const { tools, job } = this.#host.probe;
    this.#crowded = acquired.kind === 'crowded' ? this.#crowded + 1 : 0;
    // What fails beside other sessions is no evidence.
    if (this.#parallel.state !== 'none') {
      if (isSentAway(acquired)) this.#parallel.dismiss();
      return { way: 'same_address', isCrowded: true };
    }
    if (acquired.kind === 'failed')
      return { way: this.#conclude({ kind: 'failed', failure: acquired.failure, alone }) };
    // The first time it waits for its permit alone.
    if (this.#crowded > 1) await pauseAfter(this.#crowded - 1, tools.ports.clock, job.signal);
    return { way: 'same_address' };
  }

  /** Asks in a session, and parts with it. The one way out of a session. */
  async #part(current: Current): Promise<Parting> {
    const { probe, sessions } = this.#host;
    const { held, recipients } = current;
    const { session, permit, watch } = held;
    const { turn } = session;
    let parting: Parting | null = null;
    let believed: Promise<boolean> | null = null;
    try {
      const streak = permit.streak();
      parting = await this.#converse(current);
      const since = this.#refusedSince ?? streak;
      if (turn > 0 && session.complaint !== null) this.#refusedSince = since;
      if (parting.result === 'served') session.doubts.settle(true);
      if (parting.provisional !== undefined) believed = session.doubts.add(probe.job.signal);
      watch?.hear(parting.result);
      permit.report(probe.job.domain, parting.result, since);
    } finally {
      sessions.release(held, parting?.fate ?? 'destroy', 'neutral');
    }
    const { provisional } = parting;
    if (provisional === undefined || believed === null) return parting;
    // What it waits for is others' work.
    probe.job.lane?.leave();
    const isBelieved = await believed;
    probe.job.lane?.enter();
    return { ...parting, way: await this.#settle(provisional, recipients, turn, isBelieved) };
  }

  /** What a shared session said is believed once it has judged another domain's mailbox, else asked again in an own session. */
  async #settle(
    result: TransactionResult,
    recipients: readonly RecipientProbe[],
    turn: number,
    isBelieved: boolean,
  ): Promise<Way> {
    if (isBelieved) return this.#believe(result, recipients);
    this.#host.clientRefusals.startOver();
    this.#host.hear(judgedIn(result));
    this.#own = true;
    this.#failedAfter = turn;
    return 'same_address';
  }

  /** Asks in one session, again after STARTTLS. */
  async #converse(current: Current): Promise<Parting> {
    const { probe, target, sessions } = this.#host;
    const { session, permit } = current.held;
    const alone = current.recipients.length === 0;
    this.#had.add(session);
    probe.askedFrom = permit.egress.ip;
    session.complaint = null;
    if (session.turn === 0) this.#crowded = 0;
    if (session.early === null) probe.noteGreeted(target.host);
    if (permit.allowance.left() === 0) {
      const way = this.#conclude({ kind: 'failed', failure: allowanceUsedUp(permit.allowance).failure, alone });
      return { way, fate: this.#openFate(), result: 'neutral' };
    }
    if (session.patient) sessions.budget.bearsMore();
    if (session.offers.tarpit) sessions.budget.expectTarpit();
    if (this.#tlsFirst && session.offers.startTls && (await secureSession(session, false, CHOSEN)) !== null) {
      this.#tlsFirst = false;
      return { way: 'same_address', fate: 'over', result: howItWent(session.complaint, false) };
    }
    for (;;) {
      const plan = this.#whomToAsk(current);
      if (plan === null)
        return { way: 'same_address', fate: this.#openFate(), result: howItWent(session.complaint, current.served) };
      const result = await this.#ask(current.held, plan.recipients, plan.madeUp);
      const parting = await this.#judge(current, plan.recipients, result);
      if (parting !== null) return parting;
      const blocked = await this.#secure(session, result.ending);
      if (blocked === null) continue;
      const way = this.#conclude({ kind: 'failed', failure: blocked.failure, alone });
      return { way, fate: 'over', result: howItWent(session.complaint, current.served) };
    }
  }

  async #secure(session: Session, ending: TransactionEnd): Promise<Failed | null> {
    if (ending.kind !== 'tls_demanded') return null;
    return secureSession(session, ending.stage === 'rcpt', outcomeOfDemand(ending.stage, ending.answer));
  }

  /** Who can be asked about in the session at hand; null: nobody. */
  #whomToAsk({ held: { session }, recipients: all }: Current) {
    const { probe, target, catchAll, sessions } = this.#host;
    const { offers, early } = session;
    if (early === null) probe.noteSmtpUtf8(target.host, offers.smtpUtf8);
    let recipients = this.#host.remaining(all);
    // Without SMTPUTF8 there is no way to name a recipient whose local part is not ASCII (RFC 6531 §3.4).
    if (!offers.smtpUtf8 && recipients[0]?.utf8 === true) {
      this.#host.leave(recipients);
      recipients = [];
    }
    const { plan } = catchAll;
    if (recipients.length === 0 && plan !== 'owed') return null;
    // A tarpit is asked about the made-up mailbox in a session of its own.
    const madeUp: MadeUpPlan = sessions.budget.isSlow && recipients.length > 1 ? 'known' : plan;
    return { recipients, madeUp };
  }

  /** One transaction. */
  async #ask(held: Held, recipients: readonly RecipientProbe[], madeUp: MadeUpPlan): Promise<TransactionResult> {
    const { session, permit } = held;
    const { allowance, isDue } = permit;
    const queue = new RecipientQueue(recipients, () => this.#host.hasTime);
    const smtpUtf8 = recipients[0]?.utf8 ?? false;
    const callForHelp = (): void => {
      if (!this.#tlsFirst && this.#host.wantsParallel && !isDue()) this.#parallel.call();
    };
    this.#host.waiting = smtpUtf8 ? NOBODY : queue;
    callForHelp();
    // Replies that nothing explains may be put to the test in a session that has served nobody else.
    const test = session.turn === 0 ? this.#host.mayTest : null;
    return this.#host.ask(session, { queue, smtpUtf8, allowance, isDue, madeUp, test, onReplies: callForHelp });
  }

  /** What to make of what was heard; null: the server demands STARTTLS first. */
  async #judge(
    current: Current,
    recipients: readonly RecipientProbe[],
    result: TransactionResult,
  ): Promise<Parting | null> {
    const { clientRefusals, sessions, probe, target } = this.#host;
    const { session, permit } = current.held;
    const { early, turn } = session;
    const plain = isPlain(result) || isSaidBefore(result);
    if (early !== null) {
      if (!plain || !(early.isKept || isRecalled(result))) return this.#startInOrder(session);
      if (early.isKept) {
        session.early = null;
        early.keep(session);
        permit.accepted();
        probe.noteGreeted(target.host);
        probe.noteSmtpUtf8(target.host, session.offers.smtpUtf8);
      }
    }
    const isAlone = this.#parallel.state === 'none';
    // Of a session that others were asked about in, or beside, no complaint is believed anyway.
    const putOff = turn === 0 && isAlone ? putOffAt(session.complaint) : null;
    if (putOff !== null && permit.deferred(putOff)) return this.#afterPutOff(current, result);
    if (!plain && turn > 0 && isAlone && this.#mayBeBelieved(result)) return doubtful(result);
    if (!plain && (turn > 0 || !isAlone || (sessions.budget.isTarpit && isCutShort(result))))
      return this.#distrust(current, result);
    const { second } = result;
    const tested =
      second === null || turn > 0 || !isAlone || clientRefusals.refused
        ? { result, last: result.ending }
        : await putToTest(this.#host, current.held, result, second);
    const { answers, madeUp } = tested.result;
    current.served ||= [...answers, madeUp].some((answer) => answer !== null && isJudgement(answer));
    const way = this.#believe(tested.result, recipients);
    if (result.ending.kind === 'tls_demanded') return null;
    return { way, fate: this.#fateAfter(tested.last), result: howItWent(session.complaint, current.served) };
  }

  /** What was said holds. @returns where to ask next, by how the transaction ended */
  #believe(result: TransactionResult, recipients: readonly RecipientProbe[]): Way {
    const { answers, madeUp, ending } = result;
    if ([...answers, madeUp].some((answer) => answer !== null && isJudgement(answer))) {
      // A domain that is served in a session of its own, and was not in another's, was not because of the others.
      if (this.#failedAfter !== null) this.#host.sessions.noteFailure(this.#failedAfter);
      this.#failedAfter = null;
      this.#putOff = 0;
    }
    this.#host.hear(result);
    const refusedAlike = this.#host.clientRefusals.refused ? (answers.at(-1) ?? null) : null;
    const alone = recipients.length === 0;
    return this.#conclude({ kind: 'asked', alone, ending, recipients, answered: answers.length, refusedAlike });
  }

  /** The session goes on, and what it said needs no test, which takes a session of its own. */
  #mayBeBelieved({ answers, ending }: TransactionResult): boolean {
    const { domain } = this.#host.probe.job;
    return (
      ending.kind === 'finished' &&
      answers.every((answer) => testable(answer, { local: answer.recipient.local, domain }) === null)
    );
  }

  /**
   * A session that others were asked about before, or beside it, has failed this domain, or said what may have been meant
   * for them. Plain judgements count; a recipient that has none is asked about again in a session of its own.
   */
  #distrust({ held: { session } }: Current, result: TransactionResult): Parting {
    const judged = judgedIn(result);
    if (session.complaint !== null) this.#parallel.dismiss();
    if (session.turn > 0) this.#host.clientRefusals.doubt();
    else this.#host.clientRefusals.startOver();
    this.#host.hear(judged);
    this.#own = true;
    if (session.turn > 0) this.#failedAfter = session.turn;
    return {
      way: 'same_address',
      fate: this.#fateAfter(result.ending),
      result: judged.answers.some(isJudgement) ? 'served' : 'neutral',
      isCrowded: this.#parallel.state !== 'none',
    };
  }

  /**
   * The server put the session off, for all that can be seen because of our crowd. What it judged counts. The others are asked
   * about again when the limits, which know it now, let another session begin; after some of these, and at once if it was
   * said at RCPT, of which the limits learn nothing, it is left alone.
   */
  #afterPutOff({ held: { session }, recipients }: Current, result: TransactionResult): Parting {
    const judged = judgedIn(result);
    const served = judged.answers.some(isJudgement);
    const isAtRcpt = session.complaint?.when === 'rcpt';
    this.#putOff = served ? 1 : this.#putOff + 1;
    this.#host.clientRefusals.startOver();
    this.#host.hear(judged);
    const isLeft = isAtRcpt || this.#putOff >= PUT_OFF_MAX;
    const way = isLeft ? this.#conclude({ kind: 'put_off', alone: recipients.length === 0 }) : 'same_address';
    const fate = result.ending.kind === 'silent' ? 'destroy' : 'quit';
    // What one domain says at RCPT counts as ever: several in a row rest the server.
    return { way, fate, result: howItWent(isAtRcpt ? session.complaint : null, served) };
  }

  /** A server that was talked to early did not do as it had offered: nothing that it said counts, it is asked in due order. */
  #startInOrder({ early }: Session): Parting {
    this.#early = false;
    early?.drop();
    this.#host.clientRefusals.startOver();
    return { way: 'same_address', fate: 'destroy', result: 'neutral' };
  }

  /** Notes what the end of a session, or of the try to have one, is evidence of. */
  #conclude(end: SessionEnd): Way {
    const { probe, target } = this.#host;
    if (end.kind === 'failed') probe.noteFailure(target.host, end.failure);
    const consequence = consequenceOf(end, this.#tally);
    this.#tally = consequence.tally;
    this.#host.blame(consequence);
    if (consequence.way !== 'same_address') this.#onward = consequence.way;
    else if (consequence.recipients.length > 0) this.#onward = 'next_address';
    return consequence.way;
  }

  #fateAfter(ending: TransactionEnd): Fate {
    if (ending.kind === 'silent') return 'destroy';
    return ending.kind === 'finished' ? this.#openFate() : 'quit';
  }

  /** An implicit MX has no other domains. */
  #openFate(): Fate {
    return this.#host.probe.mxFound ? 'hand_on' : 'quit';
  }
}

/** What a session that goes on said may have been meant for the domains that it served before: it shows as it serves others. */
function doubtful(result: TransactionResult): Parting {
  const isServed = judgedIn(result).answers.some(isJudgement);
  return { way: 'same_address', fate: 'hand_on', result: isServed ? 'served' : 'neutral', provisional: result };
}

/** All that was said is of all sessions, or what another host of the domain had said of the same recipient. */
function isSaidBefore({ answers, madeUp, ending }: TransactionResult): boolean {
  if (ending.kind !== 'finished' || madeUp !== null) return false;
  return answers.every(
    (answer) => isOfAllSessions(answer) || answer.recipient.best?.kind === outcomeOfRcpt(answer).kind,
  );
}
