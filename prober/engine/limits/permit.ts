import type { EngineObserver, Seat, SessionEnd } from '../ports/observer.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Semaphore } from './semaphore.ts';
import type { Complaint, RestCause } from '../meaning/complaint.ts';
import type { Start } from './token-bucket.ts';
import type { UnknownRecipients } from './unknown-recipients.ts';
import type { Server } from './servers.ts';

/** The result of a session: the server `served` recipients of ours, complained about us, or neither. */
export type SessionResult = 'served' | 'neutral' | Complaint;

type Limits = {
  readonly clock: Clock;
  readonly observer: EngineObserver | null;
  readonly inAll: Semaphore;
  turnAway(): void;
};

type Request = { readonly account: Account; readonly domain: string; readonly ip: string; readonly deadlineMs: number };

/**
 * How a server refused a connection or session, where others of ours may be the reason:
 *
 *     how                                  because of others that
 *     `full`: too many are open            are open, or were served lately: then they count for longer
 *     `closed`, or refused without reason  are open, or ended a moment ago
 *     `silent`: all others were decided    were accepted, and were open meanwhile
 *     `named`: it has another reason       are open, or were meanwhile; it may be believed all the same
 *     `rate`: 4xx before MAIL              are open, or were served lately: then it has had enough
 *     `mail`, `rcpt`: 4xx about our rate   were served lately: it has had enough, or at RCPT one domain has
 */
export type Refusal = 'full' | 'closed' | 'silent' | 'named' | 'rate' | 'mail' | 'rcpt';

/** A server may take this long to notice that a connection has ended, and counts it until then. */
const LINGERS_MS = 1_000;
const LATELY_MS = 60_000;
/** How long a session may continue although a waiting account holds only one connection fewer. */
const SLICE_MS = 2_000;

/** Permission to connect from one egress address to one dialled address: asked for, then held until it is released. */
export class Permit {
  readonly egress: Egress;
  readonly account: Account;
  /** The dialled address, and its provider if that is listed. */
  readonly server: Server;
  readonly seat: Seat;
  /** How many recipients unknown to the gateway each account may still name there. */
  readonly unknown: UnknownRecipients;
  /** A slot of each is needed. From the narrowest to the broadest. */
  readonly semaphores: readonly [Semaphore, ...Semaphore[]];
  readonly #limits: Limits;
  readonly #request: Request;
  readonly #provider: Server | null;
  /** What it counts as, at the address and at its provider. */
  readonly #start: Start;
  #state: 'dialled' | 'accepted' | 'released' = 'dialled';
  #how: SessionEnd = 'undecided';

  constructor(limits: Limits, request: Request, egress: Egress, server: Server, provider: Server | null) {
    const { seat, unknown } = provider ?? server;
    const { inAll } = limits;
    this.egress = egress;
    this.account = request.account;
    this.server = server;
    this.seat = seat;
    this.unknown = unknown;
    this.semaphores = provider === null ? [server.semaphore, inAll] : [server.semaphore, provider.semaphore, inAll];
    this.#limits = limits;
    this.#request = request;
    this.#provider = provider;
    this.#start = { account: request.account, atMs: 0, wasRefused: false };
  }

  get startedAt(): number {
    return this.#start.atMs;
  }

  /** Seconds for which it is pointless to ask; 0: it may wait, or start. @param isQueued it is one of those waiting */
  waitS(isQueued: boolean): number {
    const now = this.#now();
    let startsAt = now;
    for (const semaphore of this.semaphores)
      startsAt = Math.max(startsAt, semaphore.startsAt(this.account, isQueued, now));
    const until = startsAt > this.#request.deadlineMs ? startsAt : now;
    return Math.max(this.unknown.waitS(this.account), Math.ceil((Math.max(until, this.#restsUntil) - now) / 1000));
  }

  /** The first semaphore that does not let it start; undefined: there is none. */
  stopsAt(): Semaphore | undefined {
    const now = this.#now();
    for (const semaphore of this.semaphores) if (!semaphore.lets(this.account, now)) return semaphore;
    return undefined;
  }

  begin(): this {
    this.#start.atMs = this.#now();
    for (const semaphore of this.semaphores) {
      semaphore.take(this.account);
      semaphore.pace?.start(this.#start);
    }
    return this;
  }

  /** The server accepted the connection: it greeted, and answered EHLO. */
  accepted(): void {
    if (this.#state !== 'dialled') return;
    this.#state = 'accepted';
    this.server.semaphore.window.accept();
    this.server.accepted += 1;
  }

  /** @returns whether others of ours may be the reason: then it is no evidence, and for a while there are fewer */
  refused(how: Refusal): boolean {
    const { semaphore, accepted, lastEndAt, servedAt } = this.server;
    const now = this.#now();
    const others = semaphore.inUse - 1;
    const wereOpen = accepted > 0 || lastEndAt > this.#start.atMs;
    const wasServed = servedAt > now - LATELY_MS;
    const mayLinger = lastEndAt > this.#start.atMs - LINGERS_MS;
    const isOurs = {
      full: others > 0 || wasServed,
      closed: others > 0 || mayLinger,
      silent: wereOpen,
      named: others > 0 || wereOpen,
      rate: others > 0 || wasServed,
      mail: wasServed,
      rcpt: wasServed,
    }[how];
    if (!isOurs || how === 'rcpt') return isOurs;
    const isAlone = others === 0 && !mayLinger;
    const hadEnough = how === 'mail' || (wasServed && (how === 'rate' || (how === 'full' && isAlone)));
    this.#start.wasRefused = true;
    semaphore.window.narrow(others, this.#start.atMs, now, hadEnough);
    this.#limits.turnAway();
    return true;
  }

  /** Reports a result for one domain. @param since the streak when the domain was first asked about */
  report(domain: string, result: SessionResult, since: number): void {
    if (result === 'neutral') return;
    if (result === 'served') {
      this.#how = 'served';
      this.server.servedAt = this.#now();
      this.server.refusals.end(this.account);
      this.server.coolDown.ease();
      this.#provider?.coolDown.ease();
      return;
    }
    if (this.#how === 'undecided') this.#how = 'refused';
    const { when, why } = result;
    const hasBegun =
      when === 'opening' ? this.#rest(why) : this.server.refusals.add(this.account, domain, why, this.#now(), since);
    if (hasBegun) this.#limits.turnAway();
  }

  /** Starts a cool-down of the address, and of its provider if several of its addresses have one. */
  #rest(why: RestCause): boolean {
    const now = this.#now();
    if (!this.server.coolDown.begin(why, now)) return false;
    const provider = this.#provider;
    if (provider?.countCoolDown(this.#request.ip, why, now) === true)
      this.#limits.observer?.providerRests(provider.seat, why, provider.coolDown.until - now);
    return true;
  }

  /** Whether the server is in cool-down by now, for all or for this account. */
  isCooling(): boolean {
    return this.#restsUntil > this.#now();
  }

  /** The server has lately refused connections for their number. */
  get isNarrow(): boolean {
    return this.server.semaphore.window.isNarrow(this.#now());
  }

  /** Whether another connection waits for this one to end. */
  isWanted(): boolean {
    const now = this.#now();
    return this.semaphores.some((semaphore) => semaphore.isWanted(now));
  }

  /** Whether it should end between two recipients: an account that holds fewer waits for its slot. */
  isDue(): boolean {
    const now = this.#now();
    const than = { account: this.account, fewer: now - this.#start.atMs >= SLICE_MS ? 1 : 2 };
    return this.semaphores.some((semaphore) => semaphore.isWanted(now, than));
  }

  /** A session that got through EHLO has ended. How its domains went is reported before. */
  end(): void {
    this.#limits.observer?.sessionEnded(this.seat, this.#how);
    this.release('neutral');
  }

  release(result: SessionResult): void {
    if (this.#state === 'released') return;
    if (this.#state === 'accepted') {
      this.server.accepted -= 1;
      this.server.lastEndAt = this.#now();
    }
    this.#state = 'released';
    for (const semaphore of this.semaphores) semaphore.giveBack(this.account);
    this.report(this.#request.domain, result, this.server.refusals.streak);
    for (const semaphore of this.semaphores) semaphore.serve();
  }

  /** Until when the server is in cool-down, for all or for this account; in the past if it is not. */
  get #restsUntil(): number {
    return Math.max(this.server.restsUntil(this.account), this.#provider?.coolDown.until ?? 0);
  }

  #now(): number {
    return this.#limits.clock.now();
  }
}
