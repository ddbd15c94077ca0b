import type { Outcome } from '../../../schema/evidence.ts';
import { isVerdict } from '../../../schema/outcomes.ts';
import { Acceptances } from './acceptances.ts';
import type { DomainProbe } from './domain-probe.ts';
import { Inquiry, type Ending, type Findings } from './inquiry.ts';
import { fateOf, madeUpLocal } from './made-up.ts';
import { openAtPace } from './open-at-pace.ts';
import { outcomeBeforeRcpt, outcomeOfRcpt, outcomeOfSilence, withoutWords, type Answered } from '../meaning/outcome.ts';
import type { Leaving } from '../pace/pace.ts';
import { further } from './further.ts';
import { Rapport } from './rapport.ts';
import { secureSession } from './secure.ts';
import { demandOutcome, type Session, type Setback, type Way } from './session.ts';
import type { Slot } from './slot.ts';
import type { Target } from '../targets/targets.ts';

/** Sessions in a row that answer for no recipient before their first recipient, or the server, is given up. */
const BARREN_SESSIONS = 2;
/** Recipients given up in a row, before the server is. */
const GIVEN_UP_RECIPIENTS = 2;

const LOST: Outcome = { kind: 'connection_error', greeted: true };
const NOT_DIALLED: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/**
 * All that is asked at one address of one MX host: as many sessions as its recipients need. Verdicts are reported as they
 * are known; evidence that is none is left with the recipients and the domain.
 */
export class Visit {
  readonly #probe: DomainProbe;
  readonly #target: Target;
  readonly #implicit: boolean;
  readonly #rapport: Rapport;
  readonly #acceptances: Acceptances;
  readonly #asked = new Set<Slot>();
  #tlsByChoice: boolean;
  #barren = 0;
  #givenUp = 0;
  #spoke = false;
  /** Recipients that the session under way is to ask for, the made-up one apart. */
  #recipients = 0;
  /** Where to go once all were asked here. */
  #onward: Way = 'host';

  constructor(probe: DomainProbe, target: Target, implicit: boolean) {
    const { settings, pace } = probe.tools;
    this.#probe = probe;
    this.#target = target;
    this.#implicit = implicit;
    this.#rapport = new Rapport(settings.budgets, pace.row(probe.providerOf(target)).recipients);
    this.#acceptances = new Acceptances((slot, outcome) => probe.settle(slot, outcome));
    this.#tlsByChoice = settings.startTls === 'always';
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Way> {
    while (!this.#probe.ended) {
      const queue = this.#queue();
      if (queue.length === 0 && !this.#acceptances.owed) break;
      const way = await this.#hold(queue);
      if (way === 'again') continue;
      this.#onward = way;
      if (!this.#acceptances.owed) break;
      // Those who were accepted are owed the made-up mailbox's fate at this very address, whatever became of the rest.
      for (const slot of this.#probe.open()) this.#asked.add(slot);
    }
    this.#acceptances.close();
    if (this.#spoke) this.#probe.noteSpoken(this.#target.host);
    return this.#onward;
  }

  /** Recipients to ask for in the next session: of one kind, since SMTPUTF8 holds for a whole transaction. */
  #queue(): readonly Slot[] {
    const open = this.#probe.open().filter((slot) => !this.#asked.has(slot));
    const utf8 = open[0]?.utf8;
    return open.filter((slot) => slot.utf8 === utf8);
  }

  /** One session. */
  async #hold(queue: readonly Slot[]): Promise<Way> {
    this.#acceptances.begin();
    this.#recipients = queue.length;
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
    if (this.#tlsByChoice && session.offers.startTls && (await secureSession(session, false)).kind !== 'secure') {
      this.#tlsByChoice = false;
      return 'again';
    }
    for (let left = this.#speakable(session, queue); ; left = this.#speakable(session, this.#notAsked(left))) {
      if (left.length === 0 && !this.#acceptances.owed) {
        session.wire.quit();
        return 'again';
      }
      const findings = await this.#inquire(session, left);
      this.#noteFindings(findings);
      if (findings.ending.kind !== 'tls_demanded') return this.#end(session, findings, left);
      const { stage, answer } = findings.ending;
      const blocked = await this.#meetDemand(session, stage, answer);
      if (blocked !== null) return this.#setBack(blocked);
    }
  }

  async #inquire(session: Session, slots: readonly Slot[]): Promise<Findings> {
    const { ports, settings } = this.#probe.tools;
    return new Inquiry(session, this.#rapport, {
      sender: settings.mailFrom,
      domain: this.#probe.domain,
      slots,
      smtpUtf8: slots[0]?.utf8 ?? false,
      madeUp: this.#acceptances.plan,
      madeUpLocal: () => madeUpLocal(ports.random),
    }).run();
  }

  #notAsked(slots: readonly Slot[]): readonly Slot[] {
    return slots.filter((slot) => !this.#asked.has(slot));
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
    const base = { way: 'host', greeted: true, spoke: true, cool: false, noRoute: false } as const;
    switch (upgrade.kind) {
      case 'secure':
        return null;
      case 'refused':
        return { ...base, outcome: demandOutcome(stage, demand) };
      case 'deferred':
        return { ...base, outcome: outcomeBeforeRcpt(upgrade.answer, demandOutcome(stage, demand)) };
      case 'silent': {
        const way = upgrade.silence === 'lost' ? 'again' : 'address';
        return { ...base, way, outcome: outcomeOfSilence(upgrade.silence) };
      }
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
    if (madeUp !== null) this.#acceptances.note(fateOf(madeUp));
    else if (ending.kind === 'silent' && ending.madeUpAsked)
      this.#acceptances.stopped(outcomeOfSilence(ending.silence) ?? NOT_DIALLED);
  }

  #noteAnswer(slot: Slot, answer: Answered): void {
    this.#asked.add(slot);
    const reply = withoutWords(answer.reply);
    const outcome = outcomeOfRcpt(answer);
    if (outcome === 'accepted') this.#acceptances.add(slot, reply);
    else if (outcome === 'relay_denied') {
      slot.relay ??= { reply, hosts: new Set() };
      slot.relay.hosts.add(this.#target.host);
    } else if (isVerdict(outcome)) this.#probe.settle(slot, outcome);
    else slot.best = further(slot.best, outcome);
  }

  /** What the end of the asking means for the rest. */
  #end(session: Session, { answers, ending }: Findings, left: readonly Slot[]): Way {
    const last = answers.at(-1) ?? null;
    switch (ending.kind) {
      case 'finished':
        session.wire.quit();
        return this.#refusedAlike(last) ? 'host' : 'again';
      case 'over':
        session.wire.quit();
        if (this.#refusedAlike(last)) return 'host';
        if (last !== null) return 'again';
        return left.length === 0 ? this.#retry(LOST) : this.#endBarren(left[0] ?? null, LOST);
      case 'mail_refused':
        session.wire.quit();
        return this.#refuse(outcomeBeforeRcpt(ending.answer, { kind: 'mail_from_rejected' }), 'host');
      case 'tls_demanded': // met before
        return 'host';
      case 'silent':
        session.wire.destroy();
        return this.#endSilent(ending, last !== null, left);
    }
  }

  #endSilent(ending: Extract<Ending, { kind: 'silent' }>, progressed: boolean, left: readonly Slot[]): Way {
    const { silence, stage, named } = ending;
    const outcome = outcomeOfSilence(silence);
    if (outcome === null) {
      // The batch ended with a RCPT on its way: that address was probed, and its reply came too late.
      this.#blame(named, { kind: 'timeout', greeted: true });
      return 'host';
    }
    if (left.length === 0) return this.#retry(outcome);
    if (silence === 'lost') {
      if (progressed) return 'again';
      return this.#endBarren(stage === 'rcpt' ? (left[0] ?? null) : null, outcome);
    }
    this.#onward = 'address';
    if (stage === 'mail') return this.#refuse(outcome, 'address');
    this.#blame(named, outcome);
    return this.#giveUp(outcome);
  }

  /** A session that answered for nobody: a second one may, then its first recipient is given up, then the server. */
  #endBarren(head: Slot | null, outcome: Outcome): Way {
    this.#barren += 1;
    if (this.#barren < BARREN_SESSIONS) return this.#retry(outcome);
    this.#barren = 0;
    this.#onward = 'address';
    if (head === null) return this.#refuse(outcome, 'address');
    this.#blame([head], outcome);
    return this.#giveUp(outcome);
  }

  #blame(slots: readonly Slot[], outcome: Outcome): void {
    for (const slot of slots) {
      this.#asked.add(slot);
      slot.best = further(slot.best, outcome);
    }
  }

  /** Recipients were given up for what the server did; done so twice in a row it is the server's way with all. */
  #giveUp(outcome: Outcome): Way {
    this.#givenUp += 1;
    return this.#givenUp < GIVEN_UP_RECIPIENTS ? this.#retry(outcome) : this.#refuse(outcome, 'address');
  }

  /** Two refusals of the client alike: what the next recipients would get is known. */
  #refusedAlike(last: Answered | null): boolean {
    if (!this.#rapport.refused || last === null) return false;
    const outcome = outcomeOfRcpt(last);
    if (outcome === 'relay_denied') for (const slot of this.#probe.open()) this.#noteAnswer(slot, last);
    else if (outcome !== 'accepted') this.#refuse(outcome, 'host');
    return true;
  }

  #setBack(setback: Setback): Way {
    if (setback.spoke) this.#spoke = true;
    if (setback.greeted) this.#probe.noteGreeted(this.#target.host);
    if (setback.noRoute) this.#probe.noteNoRoute();
    if (setback.outcome === null) return this.#stop(NOT_DIALLED, setback.way);
    if (setback.way === 'again') return this.#endBarren(null, setback.outcome);
    return this.#refuse(setback.outcome, setback.way);
  }

  /** Evidence about the server. */
  #refuse(outcome: Outcome, way: Way): Way {
    if (outcome.kind === 'unprobed') this.#probe.noteCooling(outcome.waitS ?? 0);
    else this.#probe.noteDomain(outcome);
    return this.#stop(outcome, way);
  }

  /** Another session at the same address. Where this one was for the made-up mailbox alone, it was a try. */
  #retry(outcome: Outcome): Way {
    return this.#recipients === 0 ? this.#stop(outcome, 'again') : 'again';
  }

  /** Where the made-up mailbox was still to be asked about in this session, this is what stopped it. */
  #stop(outcome: Outcome, way: Way): Way {
    this.#acceptances.stopped(outcome);
    return way;
  }
}
