import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { NOBODY } from '../recipients/recipient-queue.ts';
import type { Session } from '../session/session.ts';
import { type Failed, isSentAway } from '../session/session-failure.ts';
import type { Crowded } from '../pool/open-session.ts';
import type { Held } from '../pool/held-session.ts';
import type { Target } from '../targets/targets.ts';
import type { Onward, Way } from './consequence.ts';
import { Conversation, type Parting } from './conversation.ts';
import type { DomainProbe } from './domain-probe.ts';
import { HostProbe } from './host-probe.ts';
import { ParallelSessions, pause } from './parallel.ts';
import { judgedIn } from './trust.ts';
import { newRecord, type VisitRecord } from './visit-record.ts';

/** What came of a session, or of the try to have one. `isCrowded`: it failed beside others, perhaps because of them. */
type Passed = { readonly way: Way; readonly isCrowded?: boolean };

/**
 * Asks at one address of one MX host, in as many sessions as its recipients need. `run` takes one session after the other;
 * what is asked in one and what it is worth is decided by `Conversation`. Verdicts are reported as they are known; the other
 * evidence is left with the recipients and the domain.
 */
export class Visit {
  readonly #host: HostProbe;
  readonly #parallel: ParallelSessions;
  readonly #record: VisitRecord;
  /** The sessions that it has had here. */
  readonly #had: Session[] = [];

  constructor(probe: DomainProbe, target: Target) {
    this.#host = new HostProbe(probe, target);
    this.#parallel = new ParallelSessions(this.#host);
    this.#record = newRecord(probe);
  }

  /** Asks until every recipient was answered here or the server is of no more use; says where to go with the rest. */
  async run(): Promise<Onward> {
    const { sessions } = this.#host;
    try {
      for (let way: Way = 'same_address'; ;) {
        if (way !== 'same_address') this.#host.leaveRest();
        const recipients = this.#next(way);
        if (recipients === 'nobody') break;
        if (recipients !== 'those_in_parallel') way = await this.#askInSession(recipients);
        else {
          await this.#parallel.done();
          way = 'same_address';
        }
      }
    } finally {
      // However the visit ended, parallel sessions take no more recipients, and nothing of them is left.
      this.#host.waiting = NOBODY;
      try {
        if (this.#parallel.wereCalled) await this.#parallel.done();
      } finally {
        sessions.leave();
      }
    }
    this.#host.close();
    return this.#host.onward;
  }

  /** Who is asked about in the next session, none for the made-up mailbox alone; or parallel sessions are to end first. */
  #next(way: Way): readonly RecipientProbe[] | 'those_in_parallel' | 'nobody' {
    const { probe, hasTime, catchAll, asksMadeUp } = this.#host;
    if (probe.ended || !hasTime) return 'nobody';
    // A doubted made-up mailbox is asked about first, by a session that is asked nothing else.
    const recipients = way !== 'same_address' || catchAll.doubted ? [] : this.#host.forNextSession();
    const isSomebody = recipients.length > 0 || (catchAll.owed && !asksMadeUp);
    if (isSomebody && this.#parallel.state !== 'dismissed') return recipients;
    return this.#parallel.state === 'none' ? 'nobody' : 'those_in_parallel';
  }

  async #askInSession(recipients: readonly RecipientProbe[]): Promise<Way> {
    const { sessions, catchAll, probe, target } = this.#host;
    const isForMadeUp = recipients.length === 0;
    catchAll.begin();
    this.#host.asksMadeUp ||= isForMadeUp;
    let passed: Passed;
    try {
      const acquired = await sessions.acquire(probe, target, {
        use: catchAll.doubted || this.#record.own ? 'own' : 'shared',
        forMadeUp: catchAll.owed,
        early: this.#record.early && recipients[0]?.utf8 !== true,
        except: this.#had,
      });
      passed = await (acquired.kind === 'open'
        ? this.#use(acquired, recipients)
        : this.#hadNone(acquired, isForMadeUp));
    } finally {
      if (isForMadeUp) this.#host.asksMadeUp = false;
    }
    if (passed.isCrowded === true) await this.#parallel.ownFailed();
    return passed.way;
  }

  /** No session was to be had: it is tried again, or the address is given up. */
  async #hadNone(acquired: Failed | Crowded, alone: boolean): Promise<Passed> {
    const { tools, signal } = this.#host.probe;
    // What fails beside other sessions is no evidence.
    if (this.#parallel.state !== 'none') {
      if (isSentAway(acquired)) this.#parallel.dismiss();
      return { way: 'same_address', isCrowded: true };
    }
    if (acquired.kind === 'failed')
      return { way: this.#host.conclude({ kind: 'failed', failure: acquired.failure, alone }) };
    await pause(tools.ports.clock, signal);
    return { way: 'same_address' };
  }

  /** Asks in a session, and parts with it: the one way out of a session. */
  async #use(held: Held, recipients: readonly RecipientProbe[]): Promise<Passed> {
    const { probe, sessions } = this.#host;
    const { session, permit, watch } = held;
    const { turn } = session;
    const streak = permit.streak();
    const conversation = new Conversation(this.#host, this.#record, this.#parallel, held, recipients);
    let parting: Parting | null = null;
    let believed: Promise<boolean> | null = null;
    this.#had.push(session);
    try {
      parting = await conversation.run();
      const since = this.#record.refusedSince ?? streak;
      if (turn > 0 && session.complaint !== null) this.#record.refusedSince = since;
      if (parting.result === 'served') session.doubts.settle(true);
      if (parting.provisional !== undefined) believed = session.doubts.add(probe.signal);
      watch?.hear(parting.result);
      permit.report(probe.domain, parting.result, since);
    } finally {
      sessions.release(held, parting?.fate ?? 'destroy', 'neutral');
    }
    const { provisional } = parting;
    if (provisional === undefined || believed === null) return parting;
    // What it waits for is others' work.
    probe.lane.leave();
    const isBelieved = await believed;
    probe.lane.enter();
    if (isBelieved) return { way: conversation.believe(provisional, recipients) };
    this.#host.clientRefusals.startOver();
    this.#host.hear(judgedIn(provisional));
    this.#record.own = true;
    return { way: 'same_address' };
  }
}
