import type { SessionResult, ConnectionPermit } from '../limits/connection-request.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { roomFor, type Session } from '../session/session.ts';
import { SessionBudget } from '../session/session-budget.ts';
import type { Failed } from '../session/session-failure.ts';
import type { Target } from '../targets/targets.ts';
import { type Asker, type Crowded, openWithinLimits } from './open-session.ts';
import type { Tools } from './tools.ts';

// Thousands of domains share a mail host. Those of one batch share sessions with it as well: one transaction each, one
// after the other. A session that has served one domain is handed to the next that comes for the same address, under any MX
// host name. Only a listed provider's hosts are apart: they have limits of their own.
//
//     acquire ─► a session that another domain has released   ─┐
//             ─► a new session                                 ├─► release ─► handed on to a domain that waits
//             ─► none: the server could not be had             │           ─► kept idle for a second
//                                                              │           ─► closed
//
// No domain's trouble is another's evidence: in a session that others were asked about before only judgements on a mailbox
// and greylisting count (`visit/trust.ts`); for anything else the domain is asked about again, in a session of its own.

/** Sessions of one batch at one address beyond which a domain waits for one that gets free, for this long at most. */
const SESSIONS_MAX = 8;
const WAIT_MS = 1_000;
/** How long a session is kept open for a domain that may yet come. */
const IDLE_MS = 1_000;
/** Once this many sessions failed after they had served some domains, the next ones serve no more than these. One may be chance. */
const FAILURES_MIN = 2;
/** Domains that a session serves while another connection waits for its permit. */
const TURNS_WHILE_AWAITED = 4;
/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

/** An open session, with its permit to connect. */
export type Held = { readonly session: Session; readonly permit: ConnectionPermit };

/** What came of asking for a session. If it is `open` it is the caller's until it is released. */
export type Acquired = ({ readonly kind: 'open' } & Held) | Crowded | Failed;

/**
 * What becomes of a session that is released. `hand_on`: it is open and may serve another domain. `quit`: QUIT is sent, and
 * nothing more is read. `destroy`: its socket is freed. `over`: it has been closed already.
 */
export type Fate = 'hand_on' | 'quit' | 'destroy' | 'over';

/** Which session a domain asks for. */
export type Wanted = {
  /** None that others were asked about in before: it waits for room alone. */
  readonly ownOnly: boolean;
  /** The made-up mailbox is to be asked about: its refusal must not be in doubt. */
  readonly forMadeUp: boolean;
  /** A server that offered PIPECONNECT may be talked to before it greets. */
  readonly early: boolean;
  /** It is to help another session of the same domain. */
  readonly helps?: boolean;
};

type Idle = { readonly held: Held; readonly cancel: () => void };
type Waiter = Wanted & { readonly settle: (held: Held | null) => void };

/** The sessions that one batch holds, by provider and address. Forgotten with the batch. */
export class SessionPool {
  readonly #tools: Tools;
  readonly #hosts = new Map<string, HostSessions>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /**
   * A domain comes to an address.
   * @param provider whose host it is, null for everybody else
   */
  arrive({ ip, port }: Target, provider: ProviderLimits | null): HostSessions {
    const key = `${provider?.provider ?? ''} ${ip} ${port}`;
    const known = this.#hosts.get(key) ?? new HostSessions(this.#tools, provider);
    this.#hosts.set(key, known);
    known.domains += 1;
    return known;
  }

  /** Ends all that are idle. */
  close(): void {
    for (const host of this.#hosts.values()) host.close();
  }
}

/** The sessions of one batch at one address. */
export class HostSessions {
  /** What a session may cost there, as all domains have learnt it. */
  readonly budget: SessionBudget;
  /** Domains of the batch that came here. */
  domains = 0;
  readonly #tools: Tools;
  /** Connections at once that the limits allow and the server bears: beyond these only one that gets free will do, however long it takes. */
  #connectionsMax: number;
  readonly #idle = new Set<Idle>();
  readonly #waiting = new Set<Waiter>();
  /** Sessions that stand or are being opened. */
  #held = 0;
  /** How many domains the sessions had served that failed the next one, ascending. */
  #failedAfter: readonly number[] = [];

  constructor(tools: Tools, provider: ProviderLimits | null) {
    const { budgets, egress, limits } = tools.settings;
    this.#tools = tools;
    this.budget = new SessionBudget(budgets, provider?.recipients ?? null);
    this.#connectionsMax = Math.min(limits.connections.perAddress, provider?.connections ?? Infinity) * egress.length;
  }

  /**
   * A session for one domain: one that is free, or a new one once the limits allow it. If many are open already, one of them is
   * waited for, or for one to end.
   */
  acquire(asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    const free = this.#findFree(wanted, asker.job.signal);
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
    this.#ended();
  }

  /** A session that had served this many domains did not serve the next one, for all that can be seen because of them. */
  noteFailure(after: number): void {
    this.#failedAfter = [...this.#failedAfter, after].toSorted((a, b) => a - b).slice(0, FAILURES_MIN);
  }

  /** Ends all that are idle. */
  close(): void {
    for (const idle of this.#idle) this.release(this.#unkeep(idle), 'quit', 'neutral');
  }

  #orNew(free: Held | null, asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    return free === null ? this.#open(asker, target, wanted) : { kind: 'open', ...free };
  }

  async #open(asker: Asker, target: Target, wanted: Wanted): Promise<Acquired> {
    let isOpen = false;
    try {
      const opened = await openWithinLimits(this.#tools, asker, target, wanted);
      isOpen = opened.kind === 'open';
      // As far as can be seen, the server bears this many from one address.
      if (opened.kind === 'crowded')
        this.#connectionsMax = Math.min(this.#connectionsMax, opened.bears * this.#tools.settings.egress.length);
      return opened;
    } finally {
      if (!isOpen) this.#ended();
    }
  }

  /** A session that is free; null: one is to be opened, which counts as held from now on. */
  #findFree(wanted: Wanted, signal: AbortSignal): Held | Promise<Held | null> | null {
    if (signal.aborted) return this.#begin();
    for (const idle of [...this.#idle].toReversed()) {
      if (!this.#isUsable(idle.held)) this.release(this.#unkeep(idle), 'quit', 'neutral');
      else if (this.#fits(idle.held, wanted)) return this.#unkeep(idle);
    }
    return this.#held < this.#sessionsMax ? this.#begin() : this.#wait(wanted, signal);
  }

  #begin(): null {
    this.#held += 1;
    return null;
  }

  #wait(wanted: Wanted, signal: AbortSignal): Promise<Held | null> {
    return new Promise((resolve) => {
      const settle = (held: Held | null): void => {
        this.#waiting.delete(waiter);
        cancel();
        signal.removeEventListener('abort', giveUp);
        resolve(held ?? this.#begin());
      };
      const giveUp = (): void => settle(null);
      const hurry = (): void => {
        if (this.#held < this.#connectionsMax) giveUp();
      };
      const waiter: Waiter = { ...wanted, settle };
      const cancel = this.#tools.ports.clock.after(WAIT_MS, hurry);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** A session has ended, or could not be had: a waiting domain opens the next, first of all one that takes no other. */
  #ended(): void {
    this.#held -= 1;
    if (this.#waiting.size === 0 || this.#held >= this.#connectionsMax) return;
    const waiters = [...this.#waiting];
    (waiters.find(({ ownOnly }) => ownOnly) ?? waiters[0])?.settle(null);
  }

  /** Gives a session to a domain that waits, or keeps it for one that may come. @returns whether it did */
  #handOn(held: Held): boolean {
    held.session.turn += 1;
    if (this.domains < 2 || !this.#isUsable(held) || held.permit.isDue()) return false;
    const waiter = [...this.#waiting].find((one) => this.#fits(held, one));
    // A domain that waits for room alone would wait for its idle second too.
    if (waiter === undefined && this.#waiting.size > 0) return false;
    // Somebody else may have the permit: not at once if a domain of ours is here, but before a chance that one may come.
    const turnsMax = waiter === undefined ? 0 : TURNS_WHILE_AWAITED;
    if (held.session.turn >= turnsMax && held.permit.isWanted()) return false;
    if (waiter === undefined) this.#keep(held);
    else waiter.settle(held);
    return true;
  }

  #keep(held: Held): void {
    const close = (): void => this.release(this.#unkeep(idle), 'quit', 'neutral');
    const idle: Idle = { held, cancel: this.#tools.ports.clock.after(IDLE_MS, close) };
    held.permit.holds({ waitedMs: Infinity, recall: close });
    this.#idle.add(idle);
  }

  #unkeep(idle: Idle): Held {
    idle.cancel();
    this.#idle.delete(idle);
    idle.held.permit.holds(idle.held.session.wire);
    return idle.held;
  }

  /** The server does not rest, its replies are in step, and there is room for another domain. */
  #isUsable({ session, permit }: Held): boolean {
    const { asked, turn, slipped } = session;
    const { refusalsMax, recipientsMax } = this.budget;
    return (
      !slipped &&
      turn < this.#turnsMax &&
      refusalsMax > asked.refusals &&
      recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
      !permit.isCooling()
    );
  }

  #fits({ session }: Held, { ownOnly, forMadeUp }: Wanted): boolean {
    return !ownOnly && (!forMadeUp || this.budget.refusalsMax - session.asked.refusals >= roomFor(session));
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
