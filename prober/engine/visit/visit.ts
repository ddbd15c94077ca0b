import type { Outcome } from '../../../schema/evidence.ts';
import type { Finding } from '../meaning/controls.ts';
import { outcomeOfDemand } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { NOBODY, RecipientQueue } from '../recipients/recipient-queue.ts';
import type { Session } from '../session/session.ts';
import { secureSession } from '../session/secure.ts';
import { allowanceUsedUp } from '../pool/open-session.ts';
import type { Held } from '../pool/held-session.ts';
import type { Acquired } from '../pool/host-sessions.ts';
import type { Target } from '../targets/targets.ts';
import type { DomainProbe } from './domain-probe.ts';
import { HostProbe } from './host-probe.ts';
import { newVisitRecord, type Onward } from './visit-record.ts';
import { nextStep } from './next-step.ts';
import type { Note, Ready, Step, VisitEvent, VisitState } from './visit-step.ts';
import { type Doubt, doubtOf, isConfirmed } from './doubt.ts';
import { ParallelSessions } from './parallel-sessions.ts';
import { putOffAt } from './trust.ts';
import { pauseAfter } from './pause.ts';

/** If TLS was our own choice, that it is not to be had is evidence of nothing. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/** What a trace says of a test. */
const CONTROL = { accepted: 'one that was accepted', target: 'the one that was refused' } as const;
const FOUND = {
  no_such_mailbox: 'mailboxes are told apart, so refusals like this one mean that there is none',
  about_us: 'who was accepted is refused now, so such refusals are about us',
  contradicted: 'the answers do not agree, so no refusal of this visit is explained by a test',
  not_learnt: 'nothing was learnt',
} as const satisfies Record<Finding, string>;

/** The session that is held, and the recipients it was acquired for. */
type Current = { readonly held: Held; readonly recipients: readonly RecipientProbe[] };

type Do<K extends Step['kind']> = Extract<Step, { kind: K }>;

/**
 * Asks at one address of one MX host, in as many sessions as its recipients need: takes the steps that `nextStep` decides and
 * tells it what happened. Verdicts are reported as they are known; the other evidence is left with the recipients and the
 * domain.
 */
export class Visit {
  readonly #host: HostProbe;
  readonly #parallel: ParallelSessions;
  #state: VisitState;
  #current: Current | null = null;
  #doubt: Doubt | null = null;
  /** The sessions that it has had here. */
  readonly #had = new Set<Session>();

  constructor(probe: DomainProbe, target: Target) {
    const record = newVisitRecord(!probe.mxFound, probe.tools.settings.startTls === 'always');
    this.#host = new HostProbe(probe, target);
    this.#parallel = new ParallelSessions(this.#host);
    this.#state = { record, phase: { at: 'free', way: 'same_address' } };
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Onward> {
    let onward: Onward;
    try {
      onward = await this.#drive();
    } finally {
      // However the visit ended, parallel sessions take no more recipients, and nothing of them is left.
      this.#host.waiting = NOBODY;
      if (this.#current !== null) this.#host.sessions.release(this.#current.held, 'destroy', 'neutral');
      try {
        await this.#parallel.done();
      } finally {
        this.#host.sessions.leave();
      }
    }
    this.#host.close();
    return onward;
  }

  async #drive(): Promise<Onward> {
    for (let event = this.#free(); ;) {
      const { state, notes, step } = nextStep(this.#state, event);
      this.#state = state;
      for (const note of notes) this.#record(note);
      if (step.kind === 'leave') return step.onward;
      const happened = this.#perform(step);
      event = happened instanceof Promise ? await happened : happened;
    }
  }

  #perform(step: Exclude<Step, { kind: 'leave' }>): VisitEvent | Promise<VisitEvent> {
    switch (step.kind) {
      case 'acquire':
        return this.#acquire(step);
      case 'secure':
        return this.#secure(step);
      case 'ask':
        return this.#ask(step);
      case 'test':
        return this.#test(step);
      case 'release':
        return this.#release(step);
      case 'retry':
        return this.#retry(step);
      case 'wait_for_parallel':
        return this.#parallel.done().then(() => this.#free());
    }
  }

  #acquire(step: Do<'acquire'>): VisitEvent | Promise<VisitEvent> {
    const { sessions, catchAll, probe, target } = this.#host;
    catchAll.begin();
    if (step.recipients.length === 0) this.#host.asksMadeUp = true;
    const acquired = sessions.acquire(probe, target, { ...step, except: this.#had });
    return acquired instanceof Promise
      ? acquired.then((one) => this.#acquired(one, step))
      : this.#acquired(acquired, step);
  }

  #acquired(acquired: Acquired, { recipients }: Do<'acquire'>): VisitEvent {
    if (acquired.kind !== 'open') {
      if (recipients.length === 0) this.#host.asksMadeUp = false;
      return { kind: 'not_opened', failure: acquired, parallel: this.#parallel.state };
    }
    const { session, permit } = acquired;
    const { probe, target, sessions } = this.#host;
    this.#current = { held: acquired, recipients };
    this.#had.add(session);
    probe.askedFrom = permit.egress.ip;
    if (!session.unopened) probe.noteGreeted(target.host);
    session.complaint = null;
    const isPutOff = permit.allowance.left() === 0;
    if (!isPutOff && session.patient) sessions.budget.bearsMore();
    if (!isPutOff && session.offers.tarpit) sessions.budget.expectTarpit();
    return {
      kind: 'opened',
      turn: session.turn,
      early: session.unopened,
      streak: permit.streak(),
      refusedByLimits: isPutOff ? allowanceUsedUp(permit.allowance) : null,
      offersStartTls: session.offers.startTls,
      ready: readyOf(this.#current, this.#host),
    };
  }

  async #secure({ demand }: Do<'secure'>): Promise<VisitEvent> {
    const current = this.#held();
    const { session } = current.held;
    const blocked = await (demand === null
      ? secureSession(session, false, CHOSEN)
      : secureSession(session, demand.stage === 'rcpt', outcomeOfDemand(demand.stage, demand.answer)));
    return { kind: 'secured', blocked, complaint: session.complaint, ready: readyOf(current, this.#host) };
  }

  async #ask({ recipients, madeUp, mayHelp, mayTest }: Do<'ask'>): Promise<VisitEvent> {
    const { session, permit } = this.#held().held;
    const { allowance, isDue } = permit;
    const { unopened } = session;
    const queue = new RecipientQueue(recipients, () => this.#host.hasTime);
    const smtpUtf8 = recipients[0]?.utf8 ?? false;
    const callForHelp = (): void => {
      if (mayHelp && this.#host.wantsParallel && !isDue()) this.#parallel.call();
    };
    this.#host.waiting = smtpUtf8 ? NOBODY : queue;
    callForHelp();
    const test = mayTest ? this.#host.mayTest : null;
    const plan = { queue, smtpUtf8, allowance, isDue, madeUp, test, onReplies: callForHelp };
    const result = await this.#host.ask(session, plan);
    if (unopened && !session.unopened) permit.accepted();
    const { complaint, turn } = session;
    // Of a session that others were asked about in, or beside, no complaint is believed anyway.
    const putOff = turn === 0 && this.#parallel.state === 'none' ? putOffAt(complaint) : null;
    return {
      kind: 'heard',
      result,
      greeted: !session.unopened,
      complaint,
      isOfOurs: putOff !== null && permit.deferred(putOff),
      tarpit: this.#host.sessions.budget.isTarpit,
      refused: this.#host.clientRefusals.refused,
      confirmed:
        this.#doubt !== null && !this.#host.sessions.quota.hasFailed && isConfirmed(this.#doubt, session, result),
      parallel: this.#parallel.state,
    };
  }

  async #test({ second }: Do<'test'>): Promise<VisitEvent> {
    const { held, recipients } = this.#held();
    const { session, permit } = held;
    const { allowance, isDue } = permit;
    session.wire.note(`put to the test: a made-up mailbox, then ${CONTROL[second.kind]}`);
    const queue = new RecipientQueue([second.recipient], () => this.#host.hasTime);
    const smtpUtf8 = recipients[0]?.utf8 ?? false;
    const plan = { queue, smtpUtf8, allowance, isDue, madeUp: 'owed', test: second } as const;
    return { kind: 'tested', result: await this.#host.ask(session, plan), complaint: session.complaint };
  }

  #release({ fate, sessionResult, since, own }: Do<'release'>): VisitEvent | Promise<VisitEvent> {
    const { held, recipients } = this.#held();
    const { probe, sessions } = this.#host;
    this.#current = null;
    if (sessionResult === 'served') held.session.judgedTurn = held.session.turn;
    held.watch?.hear(sessionResult);
    held.permit.report(probe.job.domain, sessionResult, since);
    sessions.release(held, fate, 'neutral');
    if (recipients.length === 0) this.#host.asksMadeUp = false;
    return this.#goOn(own);
  }

  async #retry({ pauses, own }: Do<'retry'>): Promise<VisitEvent> {
    if (pauses > 0) await pauseAfter(pauses, this.#host.probe.tools.ports.clock, this.#host.probe.job.signal);
    return this.#goOn(own);
  }

  #goOn(own: 'served' | 'failed'): VisitEvent | Promise<VisitEvent> {
    if (this.#parallel.state === 'none') return this.#free();
    return this.#parallel.noteOwn(own).then(() => this.#free());
  }

  #held(): Current {
    if (this.#current === null) throw new Error('no session is held');
    return this.#current;
  }

  #free(): VisitEvent {
    const { probe, catchAll } = this.#host;
    return {
      kind: 'free',
      ended: probe.ended,
      hasTime: this.#host.hasTime,
      recipients: this.#host.forNextSession(),
      madeUp: { owed: catchAll.owed, doubted: catchAll.doubted, underWay: this.#host.asksMadeUp },
      parallel: this.#parallel.state,
    };
  }

  #record(note: Note): void {
    const { probe, target, sessions, clientRefusals } = this.#host;
    switch (note.kind) {
      case 'replies':
        return this.#host.hear(note);
      case 'tested':
        this.#held().held.session.wire.note(`tested: ${FOUND[note.finding]}`);
        return this.#host.noteFinding(note.finding);
      case 'evidence':
        return this.#host.blame(note.evidence, note.blame);
      case 'no_session':
        return probe.noteFailure(target.host, note.failure);
      case 'smtp_utf8':
        return probe.noteSmtpUtf8(target.host, note.offered);
      case 'cannot_be_named':
        return this.#host.leave(note.recipients);
      case 'leave_rest':
        this.#host.waiting = NOBODY;
        return this.#host.leave(probe.open());
      case 'shared_too_long':
        return sessions.quota.noteFailure(note.turns);
      case 'pipeconnect':
        return recordPipeconnect(this.#held().held, this.#host, note.kept);
      case 'client_refusals':
        return note.how === 'is_doubted' ? clientRefusals.doubt() : clientRefusals.startOver();
      case 'doubt':
        this.#doubt = doubtOf(this.#held().held.session, note.answers);
        return;
      case 'dismiss_parallel':
        return this.#parallel.dismiss();
    }
  }
}

/** What a session is ready for. */
function readyOf({ held: { session }, recipients }: Current, host: HostProbe): Ready {
  return {
    recipients: host.remaining(recipients),
    offersSmtpUtf8: session.offers.smtpUtf8,
    greeted: !session.unopened,
    madeUp: host.catchAll.plan,
    slow: host.sessions.budget.isSlow,
  };
}

/** The server kept to what it had offered, or did not. */
function recordPipeconnect({ session, permit }: Held, { probe, target }: HostProbe, kept: boolean): void {
  const { pipeconnect } = probe.tools;
  if (!kept) return pipeconnect.forget(probe.job, permit.egress.ip, target);
  probe.noteGreeted(target.host);
  pipeconnect.remember(probe.job, permit.egress.ip, target, session);
}
