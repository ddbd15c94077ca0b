import type { MadeUpFate, Outcome, SmtpReply } from '../../schema/evidence.ts';
import type { DomainProbe } from './domain_probe.ts';
import { Inquiry, type Ending, type Findings } from './inquiry.ts';
import { fateOf, madeUpLocal, stoppedBy } from './made_up.ts';
import { outcomeBeforeRcpt, outcomeOfRcpt, outcomeOfSilence, withoutWords, type Answered } from './outcome.ts';
import { further } from './rank.ts';
import { Rapport } from './rapport.ts';
import { secureSession } from './secure.ts';
import { demandOutcome, type Session, type Setback, type Way } from './session.ts';
import type { Slot } from './slot.ts';
import type { Target } from './targets.ts';
import { openAtPace } from './open_at_pace.ts';
import type { Leaving } from './pace.ts';

/** The made-up mailbox is asked about once, and once more where its fate was not learnt. */
const MADE_UP_TRIES = 2;
/** Sessions in a row that answer for no recipient, before the first of them is given up here. */
const BARREN_SESSIONS = 2;
/** Recipients given up in a row, before the server is. */
const GIVEN_UP_RECIPIENTS = 2;

type Accepted = { readonly slot: Slot; readonly reply: SmtpReply };

/**
 * All that is asked at one address of one MX host: as many sessions as its recipients need. Verdicts are reported as they
 * are known; evidence that is none is left with the recipients and the domain.
 */
export class Visit {
  readonly #probe: DomainProbe;
  readonly #target: Target;
  readonly #implicit: boolean;
  readonly #rapport: Rapport;
  readonly #asked = new Set<Slot>();
  readonly #accepted: Accepted[] = [];
  #fate: MadeUpFate | null = null;
  #lastFate: MadeUpFate | null = null;
  #madeUpTries = 0;
  #tlsByChoice: boolean;
  #barren = 0;
  #givenUp = 0;
  #spoke = false;

  constructor(probe: DomainProbe, target: Target, implicit: boolean) {
    const { settings, pace } = probe.tools;
    this.#probe = probe;
    this.#target = target;
    this.#implicit = implicit;
    const recipients = pace.row(probe.providerOf(target)).recipients ?? Infinity;
    this.#rapport = new Rapport(settings.budgets, Math.min(settings.budgets.recipients, recipients));
    this.#tlsByChoice = settings.startTls === 'always';
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Way> {
    let way: Way = 'host';
    while (!this.#probe.ended) {
      const queue = this.#queue();
      if (queue.length === 0 && !this.#owesMadeUp()) break;
      const next = await this.#hold(queue);
      if (next === 'again') continue;
      way = next;
      // Those who were accepted are owed the made-up mailbox's fate at this very address, whatever became of the rest.
      if (!this.#owesMadeUp()) break;
      for (const slot of this.#queue()) this.#asked.add(slot);
    }
    this.#settleAccepted();
    if (this.#spoke) this.#probe.noteSpoken(this.#target.host);
    return way;
  }

  /** Recipients to ask for in the next session: of one kind, since SMTPUTF8 holds for a whole transaction. */
  #queue(): readonly Slot[] {
    const open = this.#probe.open().filter((slot) => !this.#asked.has(slot));
    const utf8 = open[0]?.utf8;
    return open.filter((slot) => slot.utf8 === utf8);
  }

  #owesMadeUp(): boolean {
    return this.#accepted.length > 0 && this.#fate === null && this.#madeUpTries < MADE_UP_TRIES;
  }

  /** One session. */
  async #hold(queue: readonly Slot[]): Promise<Way> {
    const opened = await openAtPace(this.#probe, this.#target, this.#implicit);
    if (opened.kind === 'failed') return this.#setBack(opened.setback);
    const { session, leave } = opened;
    this.#spoke = true;
    this.#probe.noteGreeted(this.#target.host);
    const askedBefore = this.#asked.size;
    let leaving: Leaving = 'neutral';
    try {
      const way = await this.#converse(session, queue);
      if (session.cool) leaving = 'cool';
      else if (this.#asked.size > askedBefore) leaving = 'good';
      return way;
    } catch (error) {
      session.wire.destroy();
      throw error;
    } finally {
      leave(leaving);
    }
  }

  async #converse(session: Session, queue: readonly Slot[]): Promise<Way> {
    if (session.patient) this.#rapport.bearsMore();
    if (this.#tlsByChoice && session.offers.startTls) {
      const upgrade = await secureSession(session, false);
      if (upgrade.kind !== 'secure') {
        this.#tlsByChoice = false;
        return 'again';
      }
    }
    let left = this.#speakable(session, queue);
    for (;;) {
      if (left.length === 0 && !this.#owesMadeUp()) {
        session.wire.quit();
        return 'again';
      }
      const findings = await this.#inquire(session, left);
      this.#noteFindings(findings);
      if (findings.ending.kind !== 'tls_demanded') return this.#end(session, findings, left);
      const { stage, answer } = findings.ending;
      const blocked = await this.#meetDemand(session, stage, answer);
      if (blocked !== null) return this.#setBack(blocked);
      left = this.#speakable(session, left).filter((slot) => !this.#asked.has(slot));
    }
  }

  async #inquire(session: Session, slots: readonly Slot[]): Promise<Findings> {
    const { ports, settings } = this.#probe.tools;
    const questions = {
      sender: settings.mailFrom,
      domain: this.#probe.domain,
      slots,
      smtpUtf8: slots[0]?.utf8 ?? false,
      madeUp: this.#owesMadeUp()
        ? ('owed' as const)
        : this.#fateIsOpen()
          ? ('if_accepted' as const)
          : ('known' as const),
      madeUpLocal: () => madeUpLocal(ports.random),
    };
    return new Inquiry(session, this.#rapport, questions).run();
  }

  #fateIsOpen(): boolean {
    return this.#fate === null && this.#madeUpTries < MADE_UP_TRIES;
  }

  /** Without SMTPUTF8 there is no way to name a recipient whose local part is not ASCII (RFC 6531 §3.4). */
  #speakable(session: Session, slots: readonly Slot[]): readonly Slot[] {
    this.#probe.noteSmtpUtf8(this.#target.host, session.offers.smtpUtf8);
    if (session.offers.smtpUtf8 || slots[0]?.utf8 !== true) return slots;
    for (const slot of slots) this.#asked.add(slot);
    return [];
  }

  /** TLS because the server demands it; null where it was had. */
  async #meetDemand(session: Session, stage: 'mail' | 'rcpt', demand: Answered): Promise<Setback | null> {
    const upgrade = await secureSession(session, stage === 'rcpt');
    const base = { way: 'host' as const, greeted: true, spoke: true, cool: false, noRoute: false };
    switch (upgrade.kind) {
      case 'secure':
        return null;
      case 'refused':
        return { ...base, outcome: demandOutcome(stage, demand) };
      case 'deferred':
        return { ...base, outcome: outcomeBeforeRcpt(upgrade.answer, { kind: 'ehlo_rejected' }) };
      case 'silent':
        return {
          ...base,
          outcome: outcomeOfSilence(upgrade.silence),
          way: upgrade.silence === 'lost' ? 'again' : 'address',
        };
      case 'failed':
        return upgrade.setback;
    }
  }

  #noteFindings({ answers, madeUp, ending }: Findings): void {
    for (const answer of answers) this.#noteAnswer(answer.slot, answer);
    if (answers.length > 0) {
      this.#barren = 0;
      this.#givenUp = 0;
    }
    if (madeUp !== null) this.#noteFate(fateOf(madeUp));
    else if (ending.kind === 'silent' && ending.madeUpAsked) {
      const outcome = outcomeOfSilence(ending.silence);
      if (outcome !== null) this.#noteFate(stoppedBy(outcome));
    }
  }

  #noteAnswer(slot: Slot, answer: Answered): void {
    this.#asked.add(slot);
    const reply = withoutWords(answer.reply);
    const outcome = outcomeOfRcpt(answer);
    if (outcome === 'accepted') {
      this.#probe.hold(slot);
      this.#accepted.push({ slot, reply });
      if (this.#fate !== null) this.#settleAccepted();
    } else if (outcome === 'relay_denied') {
      slot.relay ??= { reply, hosts: new Set() };
      slot.relay.hosts.add(this.#target.host);
    } else if (outcome.kind === 'no_such_mailbox' || outcome.kind === 'mailbox_full') {
      this.#probe.settle(slot, outcome);
    } else slot.best = further(slot.best, outcome);
  }

  #noteFate(fate: MadeUpFate): void {
    this.#madeUpTries += 1;
    this.#lastFate = fate;
    if (fate.kind === 'not_learnt' && this.#madeUpTries < MADE_UP_TRIES) return;
    this.#fate = fate;
    this.#settleAccepted();
  }

  /** Reports those who were accepted. Called last too: then what is not learnt by now never will be. */
  #settleAccepted(): void {
    if (this.#accepted.length === 0) return;
    const madeUp = this.#fate ?? this.#lastFate ?? stoppedBy({ kind: 'unprobed', why: 'deadline', waitS: null });
    for (const { slot, reply } of this.#accepted.splice(0))
      this.#probe.settle(slot, { kind: 'accepted', reply, madeUp });
  }

  /** What the end of the asking means for the rest. */
  #end(session: Session, { answers, ending }: Findings, left: readonly Slot[]): Way {
    switch (ending.kind) {
      case 'finished':
        session.wire.quit();
        return this.#refusedAlike(answers.at(-1) ?? null) ? 'host' : 'again';
      case 'over':
        session.wire.quit();
        if (this.#refusedAlike(answers.at(-1) ?? null)) return 'host';
        return answers.length > 0 || left.length === 0 ? 'again' : this.#endBarren(left[0] ?? null, LOST);
      case 'mail_refused': {
        session.wire.quit();
        const outcome = outcomeBeforeRcpt(ending.answer, { kind: 'mail_from_rejected' });
        return this.#refuse(outcome, 'host');
      }
      case 'tls_demanded': // met before
        return 'host';
      case 'silent':
        session.wire.destroy();
        return this.#endSilent(ending, answers.length > 0, left);
    }
  }

  #endSilent(ending: Extract<Ending, { kind: 'silent' }>, progressed: boolean, left: readonly Slot[]): Way {
    const outcome = outcomeOfSilence(ending.silence);
    if (outcome === null) {
      // The batch ended with a RCPT on its way: that address was probed, and its reply came too late.
      for (const slot of ending.named) slot.best = further(slot.best, { kind: 'timeout', greeted: true });
      return 'host';
    }
    if (left.length === 0 || (progressed && ending.silence === 'lost')) return 'again';
    if (ending.silence === 'lost') return this.#endBarren(ending.stage === 'rcpt' ? (left[0] ?? null) : null, outcome);
    for (const slot of ending.named) {
      this.#asked.add(slot);
      slot.best = further(slot.best, outcome);
    }
    return this.#refuse(outcome, 'address');
  }

  /** A session that answered for nobody: a second one may, then its first recipient is given up, then the server. */
  #endBarren(head: Slot | null, outcome: Outcome): Way {
    this.#barren += 1;
    if (this.#barren < BARREN_SESSIONS) return 'again';
    this.#barren = 0;
    this.#givenUp += 1;
    if (head === null || this.#givenUp >= GIVEN_UP_RECIPIENTS) return this.#refuse(outcome, 'address');
    this.#asked.add(head);
    head.best = further(head.best, outcome);
    return 'again';
  }

  /** Two refusals of the client alike: what the next recipients would get is known. */
  #refusedAlike(last: Answered | null): boolean {
    if (!this.#rapport.refused || last === null) return false;
    const outcome = outcomeOfRcpt(last);
    if (outcome === 'relay_denied') {
      for (const slot of this.#queue()) this.#noteAnswer(slot, last);
    } else if (outcome !== 'accepted') this.#probe.noteDomain(outcome);
    return true;
  }

  #setBack(setback: Setback): Way {
    if (setback.spoke) this.#spoke = true;
    if (setback.greeted) this.#probe.noteGreeted(this.#target.host);
    if (setback.noRoute) this.#probe.noteNoRoute();
    if (setback.outcome === null) return setback.way;
    if (setback.way === 'again') return this.#endBarren(null, setback.outcome);
    return this.#refuse(setback.outcome, setback.way);
  }

  /** Evidence about the server. Where only the made-up mailbox was still to be asked, it is what stopped that. */
  #refuse(outcome: Outcome, way: Way): Way {
    if (this.#owesMadeUp()) this.#noteFate(stoppedBy(outcome));
    if (outcome.kind === 'unprobed') this.#probe.noteCooling(outcome.waitS ?? 0);
    else this.#probe.noteDomain(outcome);
    return way;
  }
}

const LOST: Outcome = { kind: 'connection_error', greeted: true };
