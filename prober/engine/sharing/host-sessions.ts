import type { AccountClass } from '../../../schema/shares.ts';
import type { SessionResult, ConnectionPermit } from '../limits/connection-request.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { roomFor, type Session } from '../session/session.ts';
import { SessionBudget } from '../session/session-budget.ts';
import type { Failed } from '../session/session-failure.ts';
import type { SessionWatch } from '../session/session-watch.ts';
import type { Target } from '../targets/targets.ts';
import type { IdleSessions } from './idle-sessions.ts';
import { type Asker, type Crowded, openWithinLimits } from './open-session.ts';
import type { Tools } from './tools.ts';
import { type Rider, Waiters } from './waiters.ts';

// Thousands of domains share a mail host, and a caller comes again. The domains of one account, of all its batches, share
// sessions with an address: one transaction each, one after the other, under any MX host name. Only a listed provider's
// hosts are apart: they have limits of their own.
//
//     acquire ─► a session that another domain has released   ─┐
//             ─► a new session; while it waits for the limits, ├─► release ─► handed on to a domain that waits
//                one that another domain releases              │           ─► kept idle for a while
//             ─► none: the server could not be had             │           ─► closed
//
// No domain's trouble is another's evidence: in a session that others were asked about before only judgements on a mailbox
// and greylisting count (`visit/trust.ts`); for anything else the domain is asked about again, in a session that serves
// such domains alone, and if that does not tell, in one of its own.

/** Sessions of one account at one address beyond which a domain waits for one that gets free, for this long at most. */
const SESSIONS_MAX = 8;
const WAIT_MS = 1_000;
/** How long a session is kept open for a domain that may yet come: as Postfix does it, and at listed providers. */
const IDLE_MS = 2_000;
const IDLE_AT_PROVIDER_MS = 5_000;
/** Once this many sessions failed after they had served some domains, the next ones serve no more than these. One may be chance. */
const FAILURES_MIN = 2;
/** Domains that a session serves while another account's connection waits for its permit. */
const TURNS_WHILE_AWAITED = 4;
/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

/** An open session, with its permit to connect. */
export type Held = {
  readonly session: Session;
  readonly permit: ConnectionPermit;
  /** Tells an observer of it; null: there is none. */
  readonly watch: SessionWatch | null;
  /** It serves domains that another session turned away. */
  readonly forRepeats: boolean;
};

/** What came of asking for a session. If it is `open` it is the caller's until it is released. */
export type Acquired = ({ readonly kind: 'open' } & Held) | Crowded | Failed;

/**
 * What becomes of a session that is released. `hand_on`: it is open and may serve another domain. `quit`: QUIT is sent, and
 * nothing more is read. `destroy`: its socket is freed. `over`: it has been closed already.
 */
export type Fate = 'hand_on' | 'quit' | 'destroy' | 'over';

/** Which session a domain asks for. */
export type Wanted = {
  /** One that may have served others; one for domains that were turned away; or none that others were asked about in before. */
  readonly use: 'shared' | 'repeat' | 'own';
  /** The made-up mailbox is to be asked about: its refusal must not be in doubt. */
  readonly forMadeUp: boolean;
  /** A server that offered PIPECONNECT may be talked to before it greets. */
  readonly early: boolean;
  /** It is to help another session of the same domain. */
  readonly helps?: boolean;
  /** Those in which the domain was asked about: none of them again. */
  readonly except?: ReadonlySet<Session>;
};

type Idle = { readonly held: Held; readonly cancel: () => void; readonly end: () => void };

export type HostSessionsOptions = {
  readonly account: Account;
  readonly accountClass: AccountClass;
  readonly provider: ProviderLimits | null;
  /** When what is known of the server is old, in the clock's milliseconds. */
  readonly untilMs: number;
  /** The idle sessions of all accounts. */
  readonly idle: IdleSessions;
  /** No domain is here, and no session is held. */
  readonly onUnused: () => void;
};

/** The sessions of one account at one address. */
export class HostSessions {
  /** What a session may cost there, as all domains have learnt it. */
  readonly budget: SessionBudget;
  readonly #tools: Tools;
  readonly #of: HostSessionsOptions;
  /** Connections at once that the limits allow and the server bears: beyond these only one that gets free will do, however long it takes. */
  #connectionsMax: number;
  readonly #idle = new Set<Idle>();
  readonly #waiters: Waiters<Held>;
  /** Domains that are here; sessions that stand or are being opened, and those of them that are for repeats. */
  readonly #here = { domains: 0, sessions: 0, forRepeats: 0 };
  /** How many domains the sessions had served that failed the next one, ascending. */
  #failedAfter: readonly number[] = [];
  #isRetired = false;

  constructor(tools: Tools, of: HostSessionsOptions) {
    const { budgets, egress, limits } = tools.settings;
    this.#tools = tools;
    this.#of = of;
    this.budget = new SessionBudget(budgets, of.provider?.recipients ?? null);
    this.#connectionsMax =
      Math.min(limits.connections.perAddress, of.provider?.connections ?? Infinity) * egress.length;
    this.#waiters = new Waiters(tools.ports.clock, WAIT_MS);
  }

  get untilMs(): number {
    return this.#of.untilMs;
  }

  arrive(): void {
    this.#here.domains += 1;
  }

  /** A domain that arrived needs no more sessions. */
  leave(): void {
    this.#here.domains -= 1;
    this.#noteUse();
  }

  /** Keeps no session open from now on. */
  retire(): void {
    this.#isRetired = true;
    for (const { end } of this.#idle) end();
  }

  /**
   * A session for one domain: one that is free, or a new one once the limits allow it, or one that gets free before. If many
   * are open already, one of them is waited for, or for one to end.
   */
  acquire(asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    const free = this.#findFree(asker, target, wanted);
    if (free instanceof Promise) return free.then((held) => this.#orNew(held, asker, target, wanted));
    return this.#orNew(free, asker, target, wanted);
  }

  /**
   * The one way to part with an acquired session: it is handed on, kept idle or closed.
   * @param sessionResult what the limits are told of it, if it was not told before
   */
  release(held: Held, fate: Fate, sessionResult: SessionResult): void {
    if (fate === 'hand_on' && this.#handOn(held)) return;
    if (fate === 'destroy') held.session.wire.destroy();
    else if (fate !== 'over') held.session.wire.quit();
    held.permit.release(sessionResult);
    this.#ended(held.forRepeats);
  }

  /** Some domain was not served in another's session for all that can be seen because of the others. */
  get hasFailed(): boolean {
    return this.#failedAfter.length > 0;
  }

  /** A session that had served this many domains did not serve the next one, for all that can be seen because of them. */
  noteFailure(after: number): void {
    this.#failedAfter = [...this.#failedAfter, after].toSorted((a, b) => a - b).slice(0, FAILURES_MIN);
  }

  #orNew(free: Held | null, asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    return free === null ? this.#open(asker, target, wanted) : { kind: 'open', ...free };
  }

  /** Opens a session. While it waits for the limits one that gets free will do as well: then nothing is dialled. */
  async #open(asker: Asker, target: Target, wanted: Wanted): Promise<Acquired> {
    const forRepeats = wanted.use === 'repeat';
    let isOpen = false;
    const ride: { held: Held | null } = { held: null };
    const stop = new AbortController();
    const { fits, take } = this.#rider(asker, target, wanted);
    const dismiss = this.#waiters.addRider({
      fits,
      take: (held) => {
        take(held);
        ride.held = held;
        stop.abort();
      },
    });
    try {
      const opened = await openWithinLimits(this.#tools, asker, target, { ...wanted, stop, onPermit: dismiss });
      if (ride.held !== null) return { kind: 'open', ...ride.held };
      isOpen = opened.kind === 'open';
      if (opened.kind === 'open') return { ...opened, forRepeats };
      // As far as can be seen, the server bears this many from one address.
      if (opened.kind === 'crowded')
        this.#connectionsMax = Math.min(this.#connectionsMax, opened.bears * this.#tools.settings.egress.length);
      return opened;
    } finally {
      dismiss();
      if (!isOpen) this.#ended(forRepeats);
    }
  }

  /** A session that is free; null: one is to be opened, which counts as held from now on. */
  #findFree(asker: Asker, target: Target, wanted: Wanted): Held | Promise<Held | null> | null {
    const { signal } = asker.job;
    if (signal.aborted) return this.#begin(wanted);
    const rider = this.#rider(asker, target, wanted);
    for (const idle of [...this.#idle].toReversed()) {
      // One that this domain has had makes room for its next.
      if (!this.#isUsable(idle.held) || wanted.except?.has(idle.held.session) === true) idle.end();
      else if (rider.fits(idle.held)) {
        rider.take(this.#unkeep(idle));
        return idle.held;
      }
    }
    // One that serves repeats will soon be free for the next.
    const waits = wanted.use === 'repeat' && this.#here.forRepeats > 0 && this.#turnsMax > 1;
    if (!waits && this.#here.sessions >= this.#sessionsMax) {
      const forRepeats = [...this.#idle].find(
        ({ held }) => held.forRepeats && this.#suits(held, asker, target, wanted),
      );
      if (forRepeats !== undefined) {
        const held = this.#forAll(this.#unkeep(forRepeats));
        rider.take(held);
        return held;
      }
      this.#endIdle();
    }
    if (!waits && this.#here.sessions < this.#sessionsMax) return this.#begin(wanted);
    const hasRoom = (): boolean => this.#here.sessions < this.#connectionsMax;
    const open = (): null => this.#begin(wanted);
    return this.#waiters.wait({ ...rider, isOwn: wanted.use === 'own', hasRoom, open }, signal);
  }

  #rider(asker: Asker, target: Target, wanted: Wanted): Rider<Held> {
    return {
      fits: (held) => this.#fits(held, asker, target, wanted),
      take: ({ session, watch }) => {
        session.wire.serve(asker.job.signal);
        watch?.reused();
      },
    };
  }

  #begin({ use }: Wanted): null {
    this.#here.sessions += 1;
    if (use === 'repeat') this.#here.forRepeats += 1;
    return null;
  }

  /** A session has ended, or could not be had: a waiting domain opens the next, first of all one that takes no other. */
  #ended(forRepeats: boolean): void {
    this.#here.sessions -= 1;
    if (forRepeats) this.#here.forRepeats -= 1;
    if (this.#here.sessions < this.#connectionsMax) this.#waiters.letOpen();
    this.#noteUse();
  }

  /** Gives a session to a domain that waits, or keeps it for one that may come. @returns whether it did */
  #handOn(held: Held): boolean {
    held.session.turn += 1;
    if (!this.#isUsable(held) || held.permit.isDue()) return false;
    // Somebody else may have the permit: not at once if a domain of ours is here, but before a chance that one may come.
    if (held.session.turn < TURNS_WHILE_AWAITED || !held.permit.isWantedByOther())
      if (this.#waiters.give(held) || this.#giveToAll(held)) return true;
    // A domain that waits for room alone would wait for as long as it is idle too.
    if (this.#isRetired || this.#waiters.size > 0 || held.permit.isWanted()) return false;
    return this.#keep(held);
  }

  /** Before one for repeats is idle, it serves others who wait. */
  #giveToAll(held: Held): boolean {
    if (!held.forRepeats || !this.#waiters.give({ ...held, forRepeats: false })) return false;
    this.#here.forRepeats -= 1;
    return true;
  }

  /** From now on it serves all, and never again one that was turned away elsewhere: those need one that served nobody else. */
  #forAll(held: Held): Held {
    this.#here.forRepeats -= 1;
    return { ...held, forRepeats: false };
  }

  #keep(held: Held): boolean {
    const { clock } = this.#tools.ports;
    const { account, accountClass, provider, untilMs, idle: all } = this.#of;
    const idleMs = provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
    const leftMs = Math.min(idleMs, untilMs - clock.now());
    if (leftMs <= 0) return false;
    const endWith = (fate: Fate): void => {
      if (!this.#idle.has(idle)) return;
      held.watch?.idled();
      this.release(this.#unkeep(idle), fate, 'neutral');
    };
    const end = (): void => endWith('quit');
    const idle: Idle = { held, end, cancel: clock.after(leftMs, end) };
    this.#idle.add(idle);
    // Ends once the limits are not at work any more: what it sets free serves those who wait.
    const recall = (): void => {
      if (!this.#idle.has(idle)) return;
      const one = this.#unkeep(idle);
      held.watch?.idled();
      void Promise.resolve().then(() => this.release(one, 'quit', 'neutral'));
    };
    held.permit.holds({ waitedMs: Infinity, recall, isIdle: true });
    held.session.wire.rest(() => endWith('destroy'));
    all.add(account, accountClass, end);
    return true;
  }

  #unkeep(idle: Idle): Held {
    const { account, accountClass, idle: all } = this.#of;
    idle.cancel();
    this.#idle.delete(idle);
    all.remove(account, accountClass, idle.end);
    idle.held.permit.holds(idle.held.session.wire);
    return idle.held;
  }

  #endIdle(): void {
    const [longest] = this.#idle;
    longest?.end();
  }

  #noteUse(): void {
    if (this.#here.domains === 0 && this.#here.sessions === 0) this.#of.onUnused();
  }

  /** The server does not rest, its replies are in step, and there is room for another domain. */
  #isUsable({ session, permit }: Held): boolean {
    const { asked, turn, slipped, wire } = session;
    const { refusalsMax, recipientsMax } = this.budget;
    return (
      !slipped &&
      !wire.isOver &&
      turn < this.#turnsMax &&
      refusalsMax > asked.refusals &&
      recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
      !permit.isCooling()
    );
  }

  #fits(held: Held, asker: Asker, target: Target, wanted: Wanted): boolean {
    return (wanted.use === 'repeat') === held.forRepeats && this.#suits(held, asker, target, wanted);
  }

  /** One for repeats will do as well. */
  #suits({ session, permit }: Held, { job }: Asker, { host }: Target, { use, forMadeUp, except }: Wanted): boolean {
    if (use === 'own' || except?.has(session) === true) return false;
    if ((job.restsUntil?.(permit.egress.ip, host) ?? 0) > this.#tools.ports.clock.now()) return false;
    return !forMadeUp || this.budget.refusalsMax - session.asked.refusals >= roomFor(session);
  }

  /** A host that cannot share is asked by as many domains at a time as it bears. */
  get #sessionsMax(): number {
    return this.#turnsMax <= 1 ? this.#connectionsMax : Math.min(SESSIONS_MAX, this.#connectionsMax);
  }

  /** Domains that one session may serve. */
  get #turnsMax(): number {
    return this.#failedAfter[FAILURES_MIN - 1] ?? Infinity;
  }
}
