import type { Asked, Held, Task } from '../site/worker.ts';
import { pause } from '../ports/cancel.ts';
import { type Failed, isSentAway } from '../smtp/failure.ts';
import type { Session } from '../smtp/session.ts';
import type { Target } from '../targets/targets.ts';
import { Conversation } from './conversation.ts';
import { Findings } from './findings.ts';
import type { Onward, Way } from './next-step.ts';
import type { DomainProbe } from './domain-probe.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';

const AGAIN_AFTER_MS = 250;
/** Part of the time left in which all that are left are to be asked. */
const IN_TIME = 0.5;
/** Courier allows one client five sessions by default. */
const SESSIONS_MAX = 5;

/**
 * What one domain is owed at one address: its recipients there, and the made-up mailbox if one was accepted. It asks in
 * one session after the other, each a task for the site's workers:
 *
 *     task ─► asked by a worker ─► the replies count, or are asked for again ─► the next task, or elsewhere (`next-step.ts`)
 *
 * A list that would take one session too long is asked in a few at a time, which share the recipients.
 */
export class Attempt {
  readonly findings: Findings;
  /** The first session must open within this time; if not, that is no evidence. */
  readonly #patienceMs: number;
  /** Takes no session that served another domain: an implicit MX has none, and elsewhere one has failed this domain. */
  isOwn: boolean;
  /** TLS by our own choice has failed here. */
  isPlain = false;
  /** The sessions that it has used here. */
  readonly #had: Session[] = [];
  readonly #end = Promise.withResolvers<void>();
  /** Sessions that are open, or asked for; and whether one of them may ask about the made-up mailbox. */
  #atWork = 0;
  #hasFirst = false;
  #max = SESSIONS_MAX;
  /** When the first recipient was named. */
  #namedAt: number | null = null;

  constructor(probe: DomainProbe, target: Target, patienceMs: number) {
    this.findings = new Findings(probe, target);
    this.isOwn = !probe.mxFound;
    this.#patienceMs = patienceMs;
  }

  /** Asks until every recipient was answered or the server is of no further use; returns where to go with the rest. */
  async run(): Promise<Onward> {
    this.#goOn('same_address');
    await this.#end.promise.finally(() => this.findings.site.leave());
    this.findings.close();
    return this.findings.onward;
  }

  get isParallel(): boolean {
    return this.#atWork > 1;
  }

  /** Asks the rest in further sessions, if a single one would take too long at the pace so far. */
  callForHelp(): void {
    const { site, probe } = this.findings;
    const now = probe.context.ports.clock.now();
    this.#namedAt ??= now;
    const answered = this.#had.reduce((sum, { asked }) => sum + asked.recipients, 0);
    const shownMs = answered === 0 ? 0 : ((now - this.#namedAt) / answered) * this.#atWork;
    const aloneMs = this.findings.forNextSession().length * Math.max(shownMs, site.budget.refusalMs);
    const helpers = site.isCrowded ? 0 : aloneMs / (IN_TIME * (probe.job.deadlineMs - now));
    while (this.#atWork <= helpers && this.#add());
  }

  /** A session failed beside others: there is one fewer from now on, or only one if the server complained. */
  lessen(hasComplained: boolean): void {
    this.#max = hasComplained ? 1 : Math.max(1, this.#max - 1);
  }

  /** One more session, if there is something to ask in it. */
  #add(): boolean {
    const { probe, hasTime, random, site } = this.findings;
    if (probe.ended || !hasTime || this.#atWork >= this.#max) return false;
    const isBeside = this.#hasFirst;
    const recipients = random.isOverdue && !isBeside ? [] : this.findings.forNextSession();
    if (recipients.length === 0 && (isBeside || !random.owed)) return false;
    const task = this.#task(recipients, isBeside);
    this.#atWork += 1;
    this.#hasFirst = true;
    try {
      site.add(task);
    } catch (error) {
      this.#crash(error);
    }
    return true;
  }

  /** @param recipients none: the made-up mailbox alone @param isBeside another is at work, and asks about that */
  #task(recipients: readonly RecipientProbe[], isBeside: boolean): Task {
    const { findings } = this;
    const { probe, target, random } = findings;
    if (!isBeside) random.begin();
    return {
      asker: probe,
      target,
      patienceMs: this.#had.length === 0 ? this.#patienceMs : Infinity,
      // Where others were refused before, a refusal of the made-up mailbox would be in doubt.
      isOwn: random.owed || this.isOwn || isBeside,
      helps: isBeside ? { isNeeded: () => findings.forNextSession().length > 0 } : null,
      had: this.#had,
      ask: (held) => this.#ask(held, recipients, isBeside),
      fail: (none) => this.#onNone(none, recipients.length === 0, isBeside),
      crash: (error) => this.#crash(error),
    };
  }

  async #ask(held: Held, recipients: readonly RecipientProbe[], isBeside: boolean): Promise<Asked> {
    this.#had.push(held.session);
    try {
      const { way, fate, result, isCrowded } = await new Conversation(this, held, isBeside).run(recipients);
      this.findings.report(held, result);
      return { fate, goOn: () => (isCrowded ? this.#again(isBeside) : this.#ended(way, isBeside)) };
    } catch (error) {
      return { fate: 'destroy', goOn: () => this.#crash(error) };
    }
  }

  /** No session could be had: it is retried, or the address is given up. A failure beside others is no evidence. */
  #onNone(none: Failed, alone: boolean, isBeside: boolean): void {
    const { cause, isOurs } = none.failure;
    const isCrowded = isBeside || this.isParallel;
    if (isCrowded && cause === 'ended') return this.#ended('same_address', isBeside);
    if (isCrowded) this.lessen(isSentAway(none));
    else if (!isOurs)
      return this.#ended(this.findings.conclude({ kind: 'failed', failure: none.failure, alone }), isBeside);
    this.#again(isBeside);
  }

  /** A server may take a while to notice that a connection has ended, and refuse the next one until then. */
  #again(isBeside: boolean): void {
    const { context, signal } = this.findings.probe;
    void pause(context.ports.clock, AGAIN_AFTER_MS, signal).then(() => this.#ended('same_address', isBeside));
  }

  /** A bug ends the attempt, and its other sessions. */
  #crash(error: unknown): void {
    this.findings.probe.signal.cancel();
    this.#end.reject(error);
  }

  #ended(way: Way, isBeside: boolean): void {
    this.#atWork -= 1;
    this.#hasFirst &&= isBeside;
    this.#goOn(way);
  }

  #goOn(way: Way): void {
    if (way !== 'same_address') this.findings.leave(this.findings.probe.open());
    this.#add();
    if (this.#atWork === 0) this.#end.resolve();
  }
}
