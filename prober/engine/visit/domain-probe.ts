import { Cancel } from '../ports/cancel.ts';
import type { Outcome } from '../../../schema/evidence.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, DrawsFor, Random, Resolve } from '../ports/ports.ts';
import type { Spent } from '../ports/spent.ts';
import { further, type RecipientProbe } from '../recipients/recipient-probe.ts';
import { hasSpoken, type SessionFailure } from '../session/session-failure.ts';
import type { SessionPool } from '../pool/session-pool.ts';
import type { Tools } from '../pool/tools.ts';

export type Domain = { readonly name: string; readonly recipients: readonly RecipientProbe[] };

/** What is the same for all domains of a batch. */
export type BatchJob = {
  readonly account: Account;
  /** Resolves on behalf of this account. */
  readonly resolve: Resolve;
  /** The sessions of all accounts. */
  readonly sessions: SessionPool;
  readonly deadlineMs: number;
  readonly spent: Spent;
  readonly draws: DrawsFor | undefined;
  readonly report: (recipient: RecipientProbe, outcome: Outcome, probe: DomainProbe) => void;
};

/**
 * What is known of one domain in one batch. Evidence about its servers is kept once, and becomes the evidence of every
 * recipient without any that got further.
 */
export class DomainProbe {
  readonly tools: Tools;
  readonly job: BatchJob;
  readonly domain: string;
  readonly recipients: readonly RecipientProbe[];
  /** Given back while the domain waits. */
  readonly lane: Lane;
  /** Fires when the batch ends. One for each domain: a list of all that wait in a batch would be searched again and again. */
  readonly signal = new Cancel();
  mx: readonly string[] = [];
  mxFound = false;
  #best: Outcome | null = null;
  /** Why an address was not dialled: it is in cool-down for this many seconds, or this host has no route to it. */
  #coolingS: number | null = null;
  #hasNoRoute = false;
  /**
   * The hosts that sent a reply of any kind: they are reachable. `smtpUtf8` is null until a host lists its extensions.
   */
  readonly #spoken: { readonly name: string; greeted: boolean; smtpUtf8: boolean | null }[] = [];

  constructor(tools: Tools, job: BatchJob, { name, recipients }: Domain, lane: Lane) {
    this.tools = tools;
    this.job = job;
    this.domain = name;
    this.recipients = recipients;
    this.lane = lane;
  }

  get ended(): boolean {
    return this.signal.aborted;
  }

  /** A server of the domain said 220. */
  get greeted(): boolean {
    return this.#spoken.some(({ greeted }) => greeted);
  }

  /** There is evidence about the domain's servers: at least one was dialled. */
  get tried(): boolean {
    return this.#best !== null;
  }

  /** There are recipients without a verdict. */
  get isOpen(): boolean {
    for (const { state } of this.recipients) if (state === 'open') return true;
    return false;
  }

  /** Recipients without a verdict. */
  open(): RecipientProbe[] {
    return this.recipients.filter(({ state }) => state === 'open');
  }

  /** The draws made for this domain, as far as they are the same each time. */
  draws(what: Parameters<DrawsFor>[1]): Random {
    return this.job.draws?.(this.domain, what) ?? this.tools.ports.random;
  }

  /** Reports a recipient, once: later evidence changes nothing. */
  settle(recipient: RecipientProbe, outcome: Outcome): void {
    if (recipient.state === 'settled') return;
    recipient.state = 'settled';
    this.job.report(recipient, outcome, this);
  }

  /** Evidence about one of the domain's servers, not about one recipient. Of several cool-downs the shortest counts. */
  noteServer(outcome: Outcome): void {
    if (outcome.kind !== 'unprobed') this.#best = further(this.#best, outcome);
    else this.#coolingS = Math.min(this.#coolingS ?? Infinity, outcome.waitS ?? 0);
  }

  /** There was no session with a host. The lack of a route from here is no evidence about the domain. */
  noteFailure(host: string, failure: SessionFailure): void {
    if (hasSpoken(failure)) this.#host(host).greeted ||= failure.stage === 'hello';
    if (failure.cause === 'no_route') this.#hasNoRoute = true;
  }

  noteGreeted(host: string): void {
    this.#host(host).greeted = true;
  }

  noteSmtpUtf8(host: string, offered: boolean): void {
    const known = this.#host(host);
    known.smtpUtf8 = offered || known.smtpUtf8 === true;
  }

  /**
   * Reports all remaining recipients with the best evidence. `verdict`: one for the whole domain, from DNS or silence.
   */
  conclude(verdict: Outcome | null): void {
    for (const recipient of this.recipients)
      if (recipient.state === 'open') this.settle(recipient, verdict ?? this.#conclusion(recipient));
  }

  #conclusion(recipient: RecipientProbe): Outcome {
    const { relay, best, utf8 } = recipient;
    if (relay !== null && this.#spoken.every(({ name }) => relay.hosts.has(name)))
      return { kind: 'no_such_mailbox', reply: relay.reply };
    if (utf8 && this.#nobodyOffersSmtpUtf8()) return { kind: 'no_smtputf8' };
    const denied: Outcome | null = relay === null ? null : { kind: 'unexpected_code', reply: relay.reply };
    return further(further(best, denied), this.#best) ?? this.#unprobed();
  }

  /** Every host that greeted listed its extensions, and none has SMTPUTF8. */
  #nobodyOffersSmtpUtf8(): boolean {
    return this.greeted && this.#spoken.every(({ greeted, smtpUtf8 }) => !greeted || smtpUtf8 === false);
  }

  #unprobed(): Outcome {
    if (this.#coolingS !== null) return { kind: 'unprobed', why: 'cooldown', waitS: Math.min(86_400, this.#coolingS) };
    if (this.#hasNoRoute && !this.ended) return { kind: 'unprobed', why: 'host', waitS: null };
    return { kind: 'unprobed', why: 'deadline', waitS: null };
  }

  #host(name: string): { greeted: boolean; smtpUtf8: boolean | null } {
    for (const known of this.#spoken) if (known.name === name) return known;
    const met = { name, greeted: false, smtpUtf8: null };
    this.#spoken.push(met);
    return met;
  }
}
