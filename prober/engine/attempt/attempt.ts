import type { Asked, Held, Task } from '../site/worker.ts';
import { pause } from '../ports/cancel.ts';
import { type Failed, isSentAway } from '../smtp/failure.ts';
import type { Session } from '../smtp/session.ts';
import type { Target } from '../targets/targets.ts';
import { Conversation } from './conversation.ts';
import { Findings } from './findings.ts';
import { Helpers } from './helpers.ts';
import type { Onward, Way } from './next-step.ts';
import type { DomainProbe } from './domain-probe.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { NOBODY } from '../recipients/recipient-queue.ts';

const AGAIN_AFTER_MS = 250;

/**
 * What one domain is owed at one address: its recipients there, and the made-up mailbox if one was accepted. It asks in
 * one session after the other, each a task for the site's workers:
 *
 *     task ─► asked by a worker ─► the replies count, or are asked for again ─► the next task, or elsewhere (`next-step.ts`)
 */
export class Attempt {
  readonly findings: Findings;
  readonly helpers: Helpers;
  /** Takes no session that served another domain: an implicit MX has none, and elsewhere one has failed this domain. */
  isOwn: boolean;
  /** TLS by our own choice has failed here. */
  isPlain = false;
  /** The sessions that it has used here. */
  readonly #had: Session[] = [];
  readonly #end = Promise.withResolvers<void>();
  /** The last session is over, and its helpers are not. */
  #awaitsHelpers = false;

  constructor(probe: DomainProbe, target: Target) {
    this.findings = new Findings(probe, target);
    this.helpers = new Helpers(this.findings, () => this.#onHelped());
    this.isOwn = !probe.mxFound;
  }

  /** Asks until every recipient was answered or the server is of no further use; returns where to go with the rest. */
  async run(): Promise<Onward> {
    const { findings } = this;
    try {
      this.#goOn('same_address');
      await this.#end.promise;
    } finally {
      // However it ended, helpers take no more recipients, and none is left running.
      findings.waiting = NOBODY;
      try {
        await this.helpers.done();
      } finally {
        findings.site.leave();
      }
    }
    findings.close();
    return findings.onward;
  }

  /** The next task, if there is one. A bug ends the attempt. */
  #goOn(way: Way): void {
    try {
      if (way !== 'same_address') this.findings.leaveRest();
      const recipients = this.#next(way);
      if (recipients !== null) this.findings.site.add(this.#task(recipients));
      else if (this.helpers.state === 'none') this.#end.resolve();
      else this.#awaitsHelpers = true;
    } catch (error) {
      this.#end.reject(error);
    }
  }

  /** The recipients of the next session, none for the made-up mailbox alone; null: none, or not yet. */
  #next(way: Way): readonly RecipientProbe[] | null {
    const { probe, hasTime, random } = this.findings;
    if (probe.ended || !hasTime || this.helpers.state === 'dismissed') return null;
    const recipients = way === 'same_address' ? this.findings.forNextSession() : [];
    return recipients.length > 0 || random.owed ? recipients : null;
  }

  #task(recipients: readonly RecipientProbe[]): Task {
    const { probe, target, random } = this.findings;
    random.begin();
    return {
      asker: probe,
      target,
      // Where others were refused before, a refusal of the made-up mailbox would be in doubt.
      isOwn: random.owed || this.isOwn,
      helps: null,
      had: this.#had,
      ask: (held) => this.#ask(held, recipients),
      fail: (none) => this.#onNone(none, recipients.length === 0),
      crash: (error) => this.#end.reject(error),
    };
  }

  /** Asks in one session. A bug ends the attempt and the session. */
  async #ask(held: Held, recipients: readonly RecipientProbe[]): Promise<Asked> {
    this.#had.push(held.session);
    try {
      const { way, fate, result, isCrowded } = await new Conversation(this, held).run(recipients);
      this.findings.report(held, result);
      return { fate, goOn: () => (isCrowded ? this.#again() : this.#goOn(way)) };
    } catch (error) {
      return { fate: 'destroy', goOn: () => this.#end.reject(error) };
    }
  }

  /** No session could be had: it is retried, or the address is given up. */
  #onNone(none: Failed, alone: boolean): void {
    if (this.helpers.state !== 'none')
      // A failure beside other sessions is no evidence.
      this.helpers.lessen(isSentAway(none));
    else if (!none.failure.isOurs)
      return this.#goOn(this.findings.conclude({ kind: 'failed', failure: none.failure, alone }));
    this.#again();
  }

  /** A server may take a while to notice that a connection has ended, and refuse the next one until then. */
  #again(): void {
    const { context, signal } = this.findings.probe;
    void pause(context.ports.clock, AGAIN_AFTER_MS, signal).then(() => this.#goOn('same_address'));
  }

  #onHelped(): void {
    if (!this.#awaitsHelpers || this.helpers.state !== 'none') return;
    this.#awaitsHelpers = false;
    this.#goOn('same_address');
  }
}
