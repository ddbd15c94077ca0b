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

/**
 * Asks at one address of one MX host, in as many sessions as its recipients need. `run` takes one session after the
 * other; `Conversation` decides what is asked in one and what it is worth. Verdicts are reported as they become known;
 * other evidence is left with the recipients and the domain.
 */
export class Visit {
  readonly #host: HostProbe;
  readonly #parallel: ParallelSessions;
  readonly #record: VisitRecord;
  /** The sessions that it has used here. */
  readonly #had: Session[] = [];

  constructor(probe: DomainProbe, target: Target) {
    this.#host = new HostProbe(probe, target);
    this.#parallel = new ParallelSessions(this.#host);
    this.#record = newRecord(probe);
  }

  /**
   * Asks until every recipient was answered here or the server is of no further use; returns where to go with the rest.
   */
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
      // However the visit ended, parallel sessions take no more recipients, and none is left running.
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

  /** The recipients of the next session, none for the made-up mailbox alone; or parallel sessions must end first. */
  #next(way: Way): readonly RecipientProbe[] | 'those_in_parallel' | 'nobody' {
    const { probe, hasTime, catchAll, asksMadeUp } = this.#host;
    if (probe.ended || !hasTime) return 'nobody';
    // A doubted made-up mailbox is asked about first, in a session with nothing else.
    const recipients = way !== 'same_address' || catchAll.doubted ? [] : this.#host.forNextSession();
    const isSomebody = recipients.length > 0 || (catchAll.owed && !asksMadeUp);
    if (isSomebody && this.#parallel.state !== 'dismissed') return recipients;
    return this.#parallel.state === 'none' ? 'nobody' : 'those_in_parallel';
  }

  /** Asks in one session, and releases it: the only way out of a session. */
  async #askInSession(recipients: readonly RecipientProbe[]): Promise<Way> {
    const { sessions, catchAll, probe, target } = this.#host;
    const isForMadeUp = recipients.length === 0;
    catchAll.begin();
    this.#host.asksMadeUp ||= isForMadeUp;
    const held = await sessions.acquire(probe, target, {
      use: catchAll.doubted || this.#record.own ? 'own' : 'shared',
      forMadeUp: catchAll.owed,
      early: this.#record.early && recipients[0]?.utf8 !== true,
      except: this.#had,
    });
    if (held.kind !== 'open') {
      if (isForMadeUp) this.#host.asksMadeUp = false;
      return this.#hadNone(held, isForMadeUp);
    }
    const streak = held.permit.streak();
    const conversation = new Conversation(this.#host, this.#record, this.#parallel, held, recipients);
    let parting: Parting | null = null;
    let believed: Promise<boolean> | null = null;
    this.#had.push(held.session);
    try {
      parting = await conversation.run();
      this.#report(held, parting, streak);
      if (parting.provisional !== undefined) believed = held.session.doubts.add(probe.signal);
    } finally {
      sessions.release(held, parting?.fate ?? 'destroy', 'neutral');
      if (isForMadeUp) this.#host.asksMadeUp = false;
    }
    if (parting.isCrowded === true) await this.#parallel.ownFailed();
    const { provisional } = parting;
    if (provisional === undefined || believed === null) return parting.way;
    // From here it waits for the work of others.
    probe.lane.leave();
    const isBelieved = await believed;
    probe.lane.enter();
    if (isBelieved) return conversation.believe(provisional, recipients);
    this.#host.clientRefusals.startOver();
    this.#host.hear(judgedIn(provisional));
    this.#record.own = true;
    return 'same_address';
  }

  /** No session could be had: it is retried, or the address is given up. */
  async #hadNone(acquired: Failed | Crowded, alone: boolean): Promise<Way> {
    const { tools, signal } = this.#host.probe;
    // A failure beside other sessions is no evidence.
    if (this.#parallel.state !== 'none') {
      if (isSentAway(acquired)) this.#parallel.dismiss();
      await this.#parallel.ownFailed();
    } else if (acquired.kind === 'failed')
      return this.#host.conclude({ kind: 'failed', failure: acquired.failure, alone });
    else await pause(tools.ports.clock, signal);
    return 'same_address';
  }

  /** Tells of a session how it went for this domain. @param streak of refusals at the address when it began */
  #report({ session, permit, watch }: Held, { result }: Parting, streak: number): void {
    const since = this.#record.refusedSince ?? streak;
    if (session.turn > 0 && session.complaint !== null) this.#record.refusedSince = since;
    if (result === 'served') session.doubts.settle(true);
    watch?.hear(result);
    permit.report(this.#host.probe.domain, result, since);
  }
}
