import type { Outcome } from '../../../schema/evidence.ts';
import { isVerdict } from '../../../schema/outcomes.ts';
import { outcomeOfDemand, outcomeOfRcpt, type ReadReply } from '../meaning/outcome.ts';
import type { Leaving } from '../pace/pace.ts';
import { providerOf } from '../providers/provider.ts';
import { atRcptOf } from '../providers/provider-facts.ts';
import type { Target } from '../targets/targets.ts';
import { Acceptances } from './acceptances.ts';
import { newStanding, type Onward, type SessionEnd, type Standing, type Way, whatFollows } from './dialogue.ts';
import type { DomainProbe } from './domain-probe.ts';
import { type Findings, Inquiry } from './inquiry.ts';
import { isRegular, madeUpLocal, madeUpPerson } from './made-up.ts';
import { openAtPace } from './open-at-pace.ts';
import { Rapport } from './rapport.ts';
import { further, noteRelayDenied, type RecipientProbe } from './recipient-probe.ts';
import { secureSession } from './secure.ts';
import type { Session } from './session.ts';

/** If TLS was our own choice, that it is not to be had is evidence of nothing. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/**
 * All that is asked at one address of one MX host: as many sessions as its recipients need. It opens a session, asks,
 * notes what was found, and does what `whatFollows` says. Verdicts are reported as they are known; the other evidence
 * is left with the recipients and the domain.
 */
export class Visit {
  readonly #probe: DomainProbe;
  readonly #target: Target;
  readonly #implicit: boolean;
  readonly #rapport: Rapport;
  readonly #acceptances: Acceptances;
  /** Recipients that are not asked about here again. */
  readonly #done = new Set<RecipientProbe>();
  #standing: Standing;
  /** The session under way has judged a mailbox. */
  #served = false;

  constructor(probe: DomainProbe, target: Target, implicit: boolean) {
    const { settings } = probe.tools;
    const recipientsMax = providerOf(target.host, settings.pace.providers)?.recipients ?? null;
    this.#probe = probe;
    this.#target = target;
    this.#implicit = implicit;
    this.#rapport = new Rapport(settings.budgets, recipientsMax);
    this.#acceptances = new Acceptances(
      (recipient, outcome) => probe.settle(recipient, outcome),
      atRcptOf(target.host, settings.providers) === 'accepts_all' ? { kind: 'provider_accepts_all' } : null,
    );
    this.#standing = newStanding(settings.startTls === 'always');
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Onward> {
    while (!this.#probe.ended) {
      const queue = this.#acceptances.doubted ? [] : this.#queue();
      if (queue.length === 0 && !this.#acceptances.owed) break;
      const way = await this.#hold(queue);
      // Those who were accepted are owed the made-up mailbox's fate at this very address, whatever becomes of the rest.
      if (way !== 'same_address') for (const recipient of this.#probe.open()) this.#done.add(recipient);
    }
    this.#acceptances.close();
    return this.#standing.onward;
  }

  /** Recipients for the next session: all of one kind, since SMTPUTF8 holds for a whole transaction. */
  #queue(): readonly RecipientProbe[] {
    const open = this.#notDone(this.#probe.open());
    const utf8 = open[0]?.utf8;
    return open.filter((recipient) => recipient.utf8 === utf8);
  }

  #notDone(recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    return recipients.filter((recipient) => !this.#done.has(recipient));
  }

  /** One session. */
  async #hold(queue: readonly RecipientProbe[]): Promise<Way> {
    this.#acceptances.begin();
    const alone = queue.length === 0;
    const opened = await openAtPace(this.#probe, this.#target, this.#implicit);
    if (opened.kind === 'failed') return this.#proceed({ ...opened, alone });
    const { session, leave } = opened;
    this.#probe.noteGreeted(this.#target.host);
    this.#served = false;
    let leaving: Leaving = 'neutral';
    try {
      const way = await this.#converse(session, queue, alone);
      leaving = howItWent(session, this.#served);
      return way;
    } catch (error) {
      session.wire.destroy();
      throw error;
    } finally {
      leave(leaving);
    }
  }

  async #converse(session: Session, queue: readonly RecipientProbe[], alone: boolean): Promise<Way> {
    if (session.patient) this.#rapport.bearsMore();
    if (this.#standing.tlsFirst && session.offers.startTls && (await secureSession(session, false, CHOSEN)) !== null)
      return this.#proceed({ kind: 'tls_not_had', alone });
    for (;;) {
      const recipients = this.#speakable(session, this.#notDone(queue));
      if (recipients.length === 0 && !this.#acceptances.owed) {
        session.wire.quit();
        return this.#proceed({ kind: 'nobody_to_ask', alone });
      }
      const { answers, madeUp, ending } = await this.#inquire(session, recipients);
      this.#served ||= [...answers, madeUp].some((answer) => answer !== null && isJudgement(answer));
      for (const answer of answers) this.#note(answer.recipient, answer);
      if (madeUp !== null) this.#acceptances.heard(madeUp, this.#rapport.spentBy(answers) || isRegular(answers));
      if (ending.kind === 'silent') session.wire.destroy();
      else if (ending.kind !== 'tls_demanded') session.wire.quit();
      const refusedAlike = this.#rapport.refused ? (answers.at(-1) ?? null) : null;
      const way = this.#proceed({ kind: 'asked', alone, ending, recipients, answered: answers.length, refusedAlike });
      if (way !== 'same_session' || ending.kind !== 'tls_demanded') return way;
      const { stage, answer } = ending;
      const blocked = await secureSession(session, stage === 'rcpt', outcomeOfDemand(stage, answer));
      if (blocked !== null) return this.#proceed({ ...blocked, alone });
    }
  }

  /** Without SMTPUTF8 there is no way to name a recipient whose local part is not ASCII (RFC 6531 §3.4). */
  #speakable(session: Session, recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    this.#probe.noteSmtpUtf8(this.#target.host, session.offers.smtpUtf8);
    if (session.offers.smtpUtf8 || recipients[0]?.utf8 !== true) return recipients;
    for (const recipient of recipients) this.#done.add(recipient);
    return [];
  }

  #inquire(session: Session, recipients: readonly RecipientProbe[]): Promise<Findings> {
    const { ports, settings } = this.#probe.tools;
    return new Inquiry(session, this.#rapport, {
      sender: settings.mailFrom,
      domain: this.#probe.domain,
      recipients,
      smtpUtf8: recipients[0]?.utf8 ?? false,
      madeUp: this.#acceptances.plan,
      madeUpLocal: () => (this.#acceptances.doubted ? madeUpPerson(ports.random) : madeUpLocal(ports.random)),
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

/** What a server said before anybody was named holds, whatever followed; a refusal at RCPT means little beside a judgement. */
function howItWent({ complaint }: Session, served: boolean): Leaving {
  if (complaint?.when === 'opening') return complaint;
  return served ? 'served' : (complaint ?? 'neutral');
}

function isJudgement({ said }: ReadReply): boolean {
  return said.meaning === 'accepted' || said.meaning === 'no_such_mailbox' || said.meaning === 'mailbox_full';
}
