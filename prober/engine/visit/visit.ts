import type { Outcome } from '../../../schema/evidence.ts';
import { isVerdict } from '../../../schema/outcomes.ts';
import { outcomeOfDemand, outcomeOfRcpt, type ReadReply } from '../meaning/outcome.ts';
import type { StreakId } from '../limits/refusal-streak.ts';
import type { SessionResult } from '../limits/connection-request.ts';
import { providerOf } from '../providers/provider.ts';
import { atRcptOf } from '../providers/provider-facts.ts';
import type { Target } from '../targets/targets.ts';
import { Acceptances } from '../catch-all/acceptances.ts';
import { newStanding, type Onward, type SessionEnd, type Standing, type Way, whatFollows } from './dialogue.ts';
import { Beside } from './beside.ts';
import type { DomainProbe } from './domain-probe.ts';
import { Helpers } from './helpers.ts';
import type { Findings } from '../session/findings.ts';
import { type Asked, Inquiry } from '../session/transaction.ts';
import { isRegular, madeUpLocal, madeUpPerson } from '../catch-all/made-up.ts';
import { openAtPace, putOff } from './open-at-pace.ts';
import { pauseAfter } from './pause.ts';
import { Rapport } from '../session/rapport.ts';
import { further, noteRelayDenied, type RecipientProbe } from '../recipients/recipient-probe.ts';
import { secureSession } from '../session/secure.ts';
import type { Session } from '../session/session.ts';
import type { Held, SharedHost } from '../sharing/shared-sessions.ts';
import { howItWent, isCutShort, isJudgement, isPlain, isSentAway, judgedIn } from './trust.ts';
import { NOBODY_WAITS, type Waiting, WaitingLine } from '../recipients/recipient-queue.ts';

/** If TLS was our own choice, that it is not to be had is evidence of nothing. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/** One domain's part of a session. `isOpen`: another domain may be asked about in it. */
type Turn = { readonly way: Way; readonly leaving: SessionResult; readonly isOpen: boolean };

/**
 * All that is asked at one address of one MX host: as many sessions as its recipients need. It opens a session, asks,
 * notes what was found, and does what `whatFollows` says. Verdicts are reported as they are known; the other evidence
 * is left with the recipients and the domain. One session follows the other, unless the server makes us wait: then a few
 * `Helpers` ask beside it.
 */
export class Visit {
  readonly #probe: DomainProbe;
  readonly #target: Target;
  readonly #implicit: boolean;
  /** The same address as other domains of the batch come to. */
  readonly #shared: SharedHost;
  readonly #rapport: Rapport;
  readonly #acceptances: Acceptances;
  /** Recipients that are not asked about here again. */
  readonly #done = new Set<RecipientProbe>();
  #standing: Standing;
  readonly #beside: Beside;
  readonly #helpers: Helpers;
  /** Whom helpers may take: those who wait for the visit's own session. */
  #waiting: Waiting = NOBODY_WAITS;
  /** The visit's own session failed while helpers were at work, perhaps because of them. */
  #failedBeside = false;
  /** Sessions in a row that others left no room for. */
  #crowded = 0;
  /** Takes sessions that have served other domains: until one of them did not serve this one. An implicit MX has no neighbours. */
  #takesShared: boolean;
  /** Talks to servers before they greet if they offered it, until this one did not do as it had offered. */
  #talksEarly: boolean;
  /** How many domains the session had served that put this one off. */
  #doubtedAfter: number | null = null;
  /** The row of refusals at the address when a session that others had been served in refused this domain. */
  #refusedSince: StreakId | null = null;

  constructor(probe: DomainProbe, target: Target, implicit: boolean) {
    const { settings } = probe.tools;
    const provider = providerOf(target.host, settings.pace.providers);
    this.#probe = probe;
    this.#target = target;
    this.#implicit = implicit;
    this.#shared = probe.sessions.arrive(target, provider);
    this.#rapport = new Rapport(this.#shared.budget);
    this.#takesShared = !implicit;
    this.#talksEarly = !implicit && settings.startTls !== 'always';
    this.#acceptances = new Acceptances(
      (recipient, outcome) => probe.settle(recipient, outcome),
      atRcptOf(target.host, settings.providers) === 'accepts_all' ? { kind: 'provider_accepts_all' } : null,
    );
    this.#standing = newStanding(settings.startTls === 'always');
    this.#beside = new Beside({
      probe,
      target,
      implicit,
      shared: this.#shared,
      rapport: this.#rapport,
      acceptances: this.#acceptances,
      waiting: () => this.#waiting,
      hasTime: () => this.#hasTime(),
      inquire: (session, asked) => this.#inquire(session, asked),
      hear: (found) => this.#hear(found),
      conclude: (end) => this.#proceed(end),
    });
    this.#helpers = new Helpers(probe.tools.ports.clock, probe.signal, () => this.#beside.help());
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Onward> {
    try {
      await this.#askAll();
    } finally {
      // Whatever ended the asking, helpers take nobody any more, and nothing of them is left.
      this.#waiting = NOBODY_WAITS;
      await this.#helpers.done();
    }
    this.#acceptances.close();
    return this.#standing.onward;
  }

  async #askAll(): Promise<void> {
    while (!this.#probe.ended && this.#hasTime()) {
      if (this.#helpers.areDismissed) await this.#helpers.done();
      const queue = this.#acceptances.doubted ? [] : this.#queue();
      const isOwed = this.#acceptances.owed && !this.#beside.asksMadeUp;
      if (queue.length > 0 || isOwed) await this.#holdOne(queue);
      else if (this.#helpers.areAtWork) await this.#helpers.done();
      else return;
    }
  }

  async #holdOne(queue: readonly RecipientProbe[]): Promise<void> {
    this.#failedBeside = false;
    if (queue.length === 0) this.#beside.asksMadeUp = true;
    const way = await this.#hold(queue);
    if (queue.length === 0) this.#beside.asksMadeUp = false;
    if (this.#helpers.areAtWork) await this.#helpers.noteOwn(this.#failedBeside ? 'failed' : 'served');
    // Those who were accepted are owed the made-up mailbox's fate at this very address, whatever becomes of the rest.
    if (way !== 'same_address') this.#leaveRest();
  }

  #leaveRest(): void {
    this.#waiting = NOBODY_WAITS;
    for (const recipient of this.#probe.open()) this.#done.add(recipient);
  }

  /** If a refusal takes longer than what is left, whoever would be asked about now would be asked about in vain. */
  #hasTime(): boolean {
    const { isSlow, refusalMs } = this.#rapport;
    return !isSlow || this.#probe.tools.ports.clock.now() + refusalMs < this.#probe.deadlineMs;
  }

  /** Recipients for the next session: all of one kind, since SMTPUTF8 holds for a whole transaction. */
  #queue(): readonly RecipientProbe[] {
    const open = this.#notDone(this.#probe.open());
    const utf8 = open[0]?.utf8;
    return open.filter((recipient) => recipient.utf8 === utf8);
  }

  #notDone(recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    return recipients.filter((recipient) => !this.#done.has(recipient) && !this.#beside.asksAbout(recipient));
  }

  /** One session: one that has served another domain and is free, or a new one. */
  async #hold(queue: readonly RecipientProbe[]): Promise<Way> {
    this.#acceptances.begin();
    const alone = queue.length === 0;
    // Whoever doubts a made-up mailbox's fate wants to hear it from a server that was asked nothing else.
    const { doubted, owed } = this.#acceptances;
    const free = this.#shared.take({ ownOnly: !this.#takesShared || doubted, forMadeUp: owed }, this.#probe.signal);
    const held = free instanceof Promise ? await free : free;
    if (held !== null) return this.#use(held, queue, alone);
    const opened = await openAtPace(
      this.#probe,
      this.#target,
      this.#implicit,
      this.#talksEarly && queue[0]?.utf8 !== true,
    );
    this.#crowded = opened.kind === 'crowded' ? this.#crowded + 1 : 0;
    if (opened.kind === 'open') return this.#use(opened, queue, alone);
    if (opened.kind === 'crowded') this.#shared.bears(opened.bears);
    this.#shared.ended();
    if (!this.#helpers.areAtWork) {
      if (opened.kind !== 'crowded') return this.#proceed({ ...opened, alone });
      // The first time it waits its turn at the pace alone.
      if (this.#crowded > 1) await pauseAfter(this.#crowded - 1, this.#probe.tools.ports.clock, this.#probe.signal);
      return 'same_address';
    }
    this.#failedBeside = true;
    if (isSentAway(opened)) this.#helpers.dismiss();
    return 'same_address';
  }

  async #use(held: Held, queue: readonly RecipientProbe[], alone: boolean): Promise<Way> {
    const { session, place } = held;
    this.#probe.askedFrom = place.egress.ip;
    if (!session.unopened) this.#probe.noteGreeted(this.#target.host);
    session.complaint = null;
    const row = place.streak();
    let turn: Turn = { way: 'next_address', leaving: 'neutral', isOpen: false };
    try {
      turn = await this.#converse(held, queue, alone);
      return turn.way;
    } catch (error) {
      session.wire.destroy();
      throw error;
    } finally {
      place.report(this.#probe.domain, turn.leaving, this.#refusedSince ?? row);
      if (session.turn > 0 && session.complaint !== null) this.#refusedSince ??= row;
      if (!(turn.isOpen && !this.#implicit && this.#shared.give(held))) {
        if (turn.isOpen) session.wire.quit();
        place.release('neutral');
        this.#shared.ended();
      }
    }
  }

  async #converse({ session, place }: Held, queue: readonly RecipientProbe[], alone: boolean): Promise<Turn> {
    if (place.allowance.left() === 0)
      return { way: this.#proceed({ ...putOff(place.allowance), alone }), leaving: 'neutral', isOpen: true };
    if (session.patient) this.#rapport.bearsMore();
    if (session.offers.tarpit) this.#rapport.expectTarpit();
    if (this.#standing.tlsFirst && session.offers.startTls && (await secureSession(session, false, CHOSEN)) !== null)
      return { way: this.#proceed({ kind: 'tls_not_had', alone }), leaving: howItWent(session, false), isOpen: false };
    let served = false;
    for (;;) {
      const recipients = this.#speakable(session, this.#notDone(queue));
      if (recipients.length === 0 && !this.#acceptances.owed)
        return {
          way: this.#proceed({ kind: 'nobody_to_ask', alone }),
          leaving: howItWent(session, served),
          isOpen: true,
        };
      const isEarly = session.unopened;
      const waiting = new WaitingLine(recipients, () => this.#hasTime());
      const smtpUtf8 = recipients[0]?.utf8 ?? false;
      this.#waiting = smtpUtf8 ? NOBODY_WAITS : waiting;
      this.#callHelpers();
      const found = await this.#inquire(session, {
        waiting,
        smtpUtf8,
        allowance: place.allowance,
        madeUp: this.#rapport.isSlow && recipients.length > 1 ? 'known' : this.#acceptances.plan,
        onReplies: () => this.#callHelpers(),
      });
      const { answers, madeUp, ending } = found;
      if (isEarly && !session.unopened) place.accepted();
      if (isEarly && (session.unopened || !isPlain(found))) return this.#startInOrder(session, place.egress.ip);
      if (isEarly) {
        this.#probe.noteGreeted(this.#target.host);
        this.#probe.tools.earlyTalkers.note(place.egress.ip, this.#target, session);
      }
      const isCut = this.#rapport.isTarpit && isCutShort(found);
      if ((session.turn > 0 || this.#helpers.areAtWork || isCut) && !isPlain(found))
        return this.#distrust(session, found);
      served ||= [...answers, madeUp].some((answer) => answer !== null && isJudgement(answer));
      // Who is served in a session of its own, and was put off in another's, was put off because of the others.
      if (served && this.#doubtedAfter !== null) this.#shared.noteFailure(this.#doubtedAfter);
      if (served) this.#doubtedAfter = null;
      this.#hear(found);
      if (ending.kind === 'silent') session.wire.destroy();
      const refusedAlike = this.#rapport.refused ? (answers.at(-1) ?? null) : null;
      const way = this.#proceed({ kind: 'asked', alone, ending, recipients, answered: answers.length, refusedAlike });
      const isOpen = ending.kind === 'finished';
      if (way !== 'same_session' || ending.kind !== 'tls_demanded') {
        if (!isOpen && ending.kind !== 'silent') session.wire.quit();
        return { way, leaving: howItWent(session, served), isOpen };
      }
      const { stage, answer } = ending;
      const blocked = await secureSession(session, stage === 'rcpt', outcomeOfDemand(stage, answer));
      if (blocked !== null)
        return { way: this.#proceed({ ...blocked, alone }), leaving: howItWent(session, served), isOpen: false };
    }
  }

  /** Notes what was said of mailboxes. */
  #hear({ answers, madeUp }: Pick<Findings, 'answers' | 'madeUp'>): void {
    for (const answer of answers) this.#note(answer.recipient, answer);
    if (madeUp !== null) this.#acceptances.heard(madeUp, this.#rapport.spentBy(answers) || isRegular(answers));
  }

  /**
   * A session that others were asked about before, or beside it, has failed this domain, or said what may have been meant
   * for them. Plain judgements count; whoever has none is asked about again, first of all in a session of its own.
   */
  #distrust(session: Session, found: Findings): Turn {
    const judged = judgedIn(found);
    this.#failedBeside = this.#helpers.areAtWork;
    if (session.complaint !== null) this.#helpers.dismiss();
    this.#takesShared = false;
    if (session.turn > 0) this.#rapport.doubt();
    else this.#rapport.startOver();
    this.#hear(judged);
    const isOpen = found.ending.kind === 'finished';
    if (session.turn > 0) this.#doubtedAfter = session.turn;
    if (found.ending.kind === 'silent') session.wire.destroy();
    else if (!isOpen) session.wire.quit();
    return { way: 'same_address', leaving: judged.answers.some(isJudgement) ? 'served' : 'neutral', isOpen };
  }

  #callHelpers(): void {
    if (this.#rapport.isWorthHelp && !this.#standing.tlsFirst && this.#waiting.left > 0) this.#helpers.call();
  }

  /** A server that was talked to early did not do as it had offered: nothing that it said counts, it is asked in due order. */
  #startInOrder({ wire }: Session, from: string | null): Turn {
    this.#probe.tools.earlyTalkers.forget(from, this.#target);
    this.#talksEarly = false;
    this.#rapport.startOver();
    wire.destroy();
    return { way: 'same_address', leaving: 'neutral', isOpen: false };
  }

  /** Without SMTPUTF8 there is no way to name a recipient whose local part is not ASCII (RFC 6531 §3.4). */
  #speakable(session: Session, recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    if (!session.unopened) this.#probe.noteSmtpUtf8(this.#target.host, session.offers.smtpUtf8);
    if (session.offers.smtpUtf8 || recipients[0]?.utf8 !== true) return recipients;
    for (const recipient of recipients) this.#done.add(recipient);
    return [];
  }

  #inquire(session: Session, asked: Asked): Promise<Findings> {
    const { ports, settings } = this.#probe.tools;
    return new Inquiry(session, this.#rapport, {
      sender: settings.mailFrom,
      domain: this.#probe.domain,
      madeUpLocal: () => (this.#acceptances.doubted ? madeUpPerson(ports.random) : madeUpLocal(ports.random)),
      ...asked,
    }).run();
  }

  #note(recipient: RecipientProbe, answer: ReadReply): void {
    this.#done.add(recipient);
    const outcome = outcomeOfRcpt(answer);
    if (outcome.kind === 'no_such_mailbox') this.#acceptances.refused(outcome.reply);
    if (outcome.kind === 'taken') this.#acceptances.add(recipient, outcome.reply);
    else if (outcome.kind === 'relay_denied') noteRelayDenied(recipient, this.#target.host, outcome.reply);
    else if (isVerdict(outcome)) this.#probe.settle(recipient, outcome);
    else recipient.best = further(recipient.best, outcome);
  }

  /** Notes what a session's end means for the rest, and says where to ask next. */
  #proceed(end: SessionEnd): Way {
    if (end.kind === 'failed') this.#probe.noteSetback(this.#target.host, end.setback);
    const { way, blame, evidence, standing } = whatFollows(end, this.#standing);
    this.#standing = standing;
    if (evidence === null) return way;
    if (evidence.kind === 'relay_denied') {
      for (const recipient of this.#probe.open()) noteRelayDenied(recipient, this.#target.host, evidence.reply);
      return way;
    }
    for (const recipient of blame.recipients) {
      this.#done.add(recipient);
      recipient.best = further(recipient.best, evidence);
    }
    if (blame.server) this.#probe.noteServer(evidence);
    if (blame.madeUp) this.#acceptances.stopped(evidence);
    return way;
  }
}
