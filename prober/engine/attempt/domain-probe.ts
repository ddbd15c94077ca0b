import { Cancel } from '../ports/cancel.ts';
import type { Outcome } from '../../../schema/evidence.ts';
import { isUnprobed, refusesUs } from '../../../schema/outcomes.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, DrawsFor, Random, Resolve } from '../ports/ports.ts';
import { further, type RecipientProbe } from '../recipients/recipient.ts';
import { isNoMailHost, type SessionFailure } from '../smtp/failure.ts';
import type { Failures } from '../site/open.ts';
import type { Sites } from '../site/sites.ts';
import type { ClientContext } from '../site/client-context.ts';

type Domain = { readonly name: string; readonly recipients: readonly RecipientProbe[] };

/** What is the same for all domains of a batch. */
export type BatchJob = {
  readonly account: Account;
  readonly resolve: Resolve;
  readonly sites: Sites;
  readonly deadlineMs: number;
  readonly failures: Failures;
  readonly draws: DrawsFor | undefined;
  readonly report: (recipient: RecipientProbe, outcome: Outcome, probe: DomainProbe) => void;
};

/** One domain in one batch. Evidence about its servers is that of every recipient without any that got further. */
export class DomainProbe {
  readonly context: ClientContext;
  readonly job: BatchJob;
  readonly domain: string;
  readonly recipients: readonly RecipientProbe[];
  /** Given back while the domain waits. */
  readonly lane: Lane;
  /** Fires when the batch ends. One for each domain: a list of all that wait in a batch would be searched again and again. */
  readonly signal = new Cancel();
  mx: readonly string[] = [];
  mxFound = false;
  /** The published hosts and the addresses they can be heard at, but not those certain to have none. */
  readonly hosts = new Map<string, readonly string[]>();
  /** Whether an address of the domain behaves like a mail host, or may; null: none was dialled. */
  servesMail: boolean | null = null;
  #best: Outcome | null = null;
  /** When an address that was not dialled may be, in seconds: in the shortest cool-down; Infinity: this host has no route. */
  #waitS: number | null = null;
  /** A server that greeted offers SMTPUTF8, or has not listed its extensions; null: none has greeted. */
  #mayTakeUtf8: boolean | null = null;

  constructor(context: ClientContext, job: BatchJob, { name, recipients }: Domain, lane: Lane) {
    this.context = context;
    this.job = job;
    this.domain = name;
    this.recipients = recipients;
    this.lane = lane;
  }

  get ended(): boolean {
    return this.signal.aborted;
  }

  get isOpen(): boolean {
    return this.recipients.some(({ state }) => state === 'open');
  }

  open(): RecipientProbe[] {
    return this.recipients.filter(({ state }) => state === 'open');
  }

  /** The draws made for this domain, as far as they are the same each time. */
  draws(what: Parameters<DrawsFor>[1]): Random {
    return this.job.draws?.(this.domain, what) ?? this.context.ports.random;
  }

  /** Reports a recipient, once: later evidence changes nothing. */
  settle(recipient: RecipientProbe, outcome: Outcome): void {
    if (recipient.state === 'settled') return;
    recipient.state = 'settled';
    this.job.report(recipient, outcome, this);
  }

  /** Evidence about one of the domain's servers, not about one recipient. Of several cool-downs the shortest counts. */
  noteServer(outcome: Outcome): void {
    if (!isUnprobed(outcome)) this.#best = further(this.#best, outcome);
    else this.#waitS = Math.min(this.#waitS ?? Infinity, outcome.waitS ?? 0);
  }

  /** There was no session with a host. The lack of a route from here is no evidence about the domain. */
  noteFailure(failure: SessionFailure): void {
    if (failure.stage === 'hello') this.#mayTakeUtf8 = true;
    if (failure.cause === 'no_route') this.#waitS ??= Infinity;
    else this.servesMail = this.servesMail === true || !isNoMailHost(failure);
  }

  noteGreeted(offersSmtpUtf8: boolean): void {
    this.servesMail = true;
    this.#mayTakeUtf8 = this.#mayTakeUtf8 === true || offersSmtpUtf8;
  }

  /** Reports all remaining recipients. @param verdict one for the whole domain; null: the best evidence of each */
  conclude(verdict: Outcome | null): void {
    for (const recipient of this.open()) this.settle(recipient, verdict ?? this.#conclusion(recipient));
  }

  #conclusion(recipient: RecipientProbe): Outcome {
    const { relay, best, utf8 } = recipient;
    if (relay !== null && [...this.hosts.values()].every((ips) => ips.some((ip) => relay.ips.has(ip))))
      return { kind: 'no_such_mailbox', reply: relay.reply };
    if (utf8 && this.#mayTakeUtf8 === false) return { kind: 'no_smtputf8' };
    const denied: Outcome | null = relay === null ? null : { kind: 'unexpected_code', reply: relay.reply };
    const known = further(further(best, denied), this.#best);
    const waitS = this.#waitS ?? Infinity;
    // A server that was not dialled may answer later: only if all have refused us is that the result.
    if (known !== null && (waitS === Infinity || !refusesUs(known))) return known;
    if (waitS < Infinity) return { kind: 'unprobed', why: 'cooldown', waitS: Math.min(86_400, waitS) };
    return { kind: 'unprobed', why: this.#waitS === null || this.ended ? 'deadline' : 'host', waitS: null };
  }
}
