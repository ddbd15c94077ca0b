import type { Ends } from '../ports/cancel.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Session } from '../session/session.ts';
import { SessionBudget } from '../session/session-budget.ts';
import { type Failed, failed } from '../session/session-failure.ts';
import type { Target } from '../targets/targets.ts';
import { type Fate, hasRoomForMadeUp, type Held, isUsable } from './held-session.ts';
import type { IdleSessions } from './idle-sessions.ts';
import { type Asker, type Crowded, openWithinLimits } from './open-session.ts';
import type { Tools } from './tools.ts';

// Thousands of domains share a mail host, and a caller comes again. The domains of one account, of all its batches, share
// sessions with an address: one transaction each, one after the other, under any MX host name. Only a listed provider's
// hosts are apart: they have limits of their own.
//
//     acquire ─► a session that nobody uses                    ─┐
//             ─► a new session; while it waits for the limits,  ├─► release ─► handed on to a domain that waits
//                one that another domain releases               │           ─► kept idle for a while
//             ─► none: the server could not be had              │           ─► closed
//
// No domain's trouble is another's evidence: in a session that others were asked about before only judgements on a mailbox
// and greylisting count (`visit/trust.ts`). Anything else is provisional: it is believed once the session judges another
// domain's mailbox, and if it ends before, the domain is asked about again in a session of its own.

/** Sessions of one account at one address beyond which a domain waits for one that gets free. */
const SESSIONS_MAX = 8;
/** How long a session is kept open for a domain that may yet come: as Postfix does it, and at listed providers. */
const IDLE_MS = 2_000;
const IDLE_AT_PROVIDER_MS = 5_000;
/** Domains that a session serves while another account's connection waits for its permit. */
const TURNS_WHILE_AWAITED = 4;

/** What came of asking for a session. If it is `open` it is the caller's until it is released. */
export type Acquired = ({ readonly kind: 'open' } & Held) | Crowded | Failed;

/** Which session a domain asks for. */
export type Wanted = {
  /** One that may have served others, or none that others were asked about in before. */
  readonly use: 'shared' | 'own';
  /** The made-up mailbox is to be asked about: its refusal must not be in doubt. */
  readonly forMadeUp: boolean;
  /** A server that offered PIPECONNECT may be talked to before it greets. */
  readonly early: boolean;
  /** It is to help another session of the same domain, which has the domain's lane, if that still has anybody for it. */
  readonly helps?: { readonly isNeeded: () => boolean };
  /** Those in which the domain was asked about: none of them again. */
  readonly except?: readonly Session[];
};

/** A domain that waits: for a session that gets free, or for room to open one. */
type Waiting = {
  readonly fits: (held: Held) => boolean;
  readonly lane: Lane | undefined;
  /** It takes no session that others had. */
  readonly isOwn: boolean;
  /** It has room, and waits for the limits. */
  isOpening: boolean;
  /** @param held null: it is to open one */
  settle: (held: Held | null) => void;
};

export type HostSessionsOptions = {
  readonly account: Account;
  readonly provider: ProviderLimits | null;
  /** When what is known of the server is old, in the clock's milliseconds: no session is kept idle from then on. */
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
  /** Those of them that nobody uses, the longest first. */
  readonly #free: Held[] = [];
  readonly #waiting = new Set<Waiting>();
  #domains = 0;
  /** Sessions that stand or are being opened. */
  #sessions = 0;

  constructor(tools: Tools, of: HostSessionsOptions) {
    this.budget = new SessionBudget(tools.settings.budgets, of.provider?.recipients ?? null);
    this.#tools = tools;
    this.#of = of;
  }

  get untilMs(): number {
    return this.#of.untilMs;
  }

  arrive(): void {
    this.#domains += 1;
  }

  /** A domain that arrived needs no more sessions. */
  leave(): void {
    this.#domains -= 1;
    this.#noteUse();
  }

  /**
   * A session for one domain: one that is free, or a new one once the limits allow it, or one that gets free before. If many
   * are open already, one of them is waited for, or for one to end. A domain that waits gives its lane back.
   */
  acquire(asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    const { signal, lane } = asker.job;
    const waiting: Waiting = {
      fits: (held) => this.#fits(held, wanted),
      lane: wanted.helps === undefined ? lane : undefined,
      isOwn: wanted.use === 'own',
      isOpening: false,
      settle: () => {},
    };
    if (!signal.aborted) {
      const free = this.#takeFree(waiting, wanted.except);
      if (free !== null) return this.#serve(free, signal);
      if (this.#sessions >= SESSIONS_MAX) this.#endLongest();
      if (this.#sessions >= SESSIONS_MAX)
        return this.#wait(waiting, signal).then((held) =>
          held === null ? this.#open(asker, target, wanted, waiting) : this.#serve(held, signal),
        );
    }
    this.#sessions += 1;
    return this.#open(asker, target, wanted, waiting);
  }

  /**
   * The one way to part with an acquired session: it is handed on, kept idle or closed.
   * @param sessionResult what the limits are told of it, if it was not told before
   */
  release(held: Held, fate: Fate, sessionResult: SessionResult): void {
    if (fate === 'hand_on' && this.#handOn(held)) return;
    if (fate === 'destroy') held.session.wire.destroy();
    else if (fate !== 'over') held.session.wire.quit();
    held.watch?.ends(sessionResult);
    held.permit.release(sessionResult);
    held.session.doubts.settle(false);
    this.#ended();
  }

  #serve(held: Held, signal: Ends): Acquired {
    held.session.wire.serve(signal);
    return { kind: 'open', ...held };
  }

  /** Waits for a session that gets free, or for room for another. */
  #wait(waiting: Waiting, signal: Ends): Promise<Held | null> {
    waiting.lane?.leave();
    return new Promise((resolve) => {
      const giveUp = (): void => waiting.settle(null);
      waiting.settle = (held) => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', giveUp);
        waiting.lane?.enter();
        if (held === null) this.#sessions += 1;
        resolve(held);
      };
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(waiting);
    });
  }

  /** Opens a session. While it waits for the limits one that gets free will do as well: then nothing is dialled. */
  async #open(asker: Asker, target: Target, wanted: Wanted, waiting: Waiting): Promise<Acquired> {
    const found: { held: Held | null } = { held: null };
    const onWait = (giveUp: () => void): void => {
      waiting.isOpening = true;
      waiting.settle = (held) => {
        this.#waiting.delete(waiting);
        found.held = held;
        giveUp();
      };
      this.#waiting.add(waiting);
    };
    const isWanted = (): boolean => {
      this.#waiting.delete(waiting);
      return found.held === null && wanted.helps?.isNeeded() !== false;
    };
    const { provider } = this.#of;
    let isOpen = false;
    try {
      if (!isWanted()) return failed('limits', 'ended', null);
      const { early, use, helps } = wanted;
      const mayRide = use === 'shared' && this.#sessions > 1;
      const how = { early, helps: helps !== undefined, mayRide, lane: waiting.lane, provider, onWait, isWanted };
      const opened = await openWithinLimits(this.#tools, asker, target, how);
      isOpen = opened.kind === 'open';
      return found.held === null ? opened : this.#serve(found.held, asker.job.signal);
    } finally {
      if (!isOpen) this.#ended();
    }
  }

  /** Whether an open session will do. */
  #fits(held: Held, { use, except, forMadeUp }: Wanted): boolean {
    if (use === 'own' || except?.includes(held.session) === true) return false;
    return !forMadeUp || hasRoomForMadeUp(held, this.budget);
  }

  /** The latest session that nobody uses and that fits. */
  #takeFree({ fits }: Waiting, except: Wanted['except']): Held | null {
    for (const held of this.#free.toReversed()) {
      // One that this domain has had makes room for its next.
      if (!this.#isUsable(held) || except?.includes(held.session) === true) this.#of.idle.end(held);
      else if (fits(held)) {
        this.#of.idle.take(held);
        this.#free.splice(this.#free.indexOf(held), 1);
        return held;
      }
    }
    return null;
  }

  #endLongest(): void {
    const [longest] = this.#free;
    if (longest !== undefined) this.#of.idle.end(longest);
  }

  /** A session has ended, or could not be had: a waiting domain opens the next, first of all one that takes no other. */
  #ended(): void {
    this.#sessions -= 1;
    this.#letOpen();
    this.#noteUse();
  }

  readonly #letOpen = (): void => {
    while (this.#waiting.size > 0 && this.#sessions < SESSIONS_MAX) {
      const next = this.#nextToOpen();
      if (next === null) return;
      next.settle(null);
    }
  };

  #nextToOpen(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (waiting.isOpening || (next !== null && !waiting.isOwn)) continue;
      if (waiting.lane?.isReady(this.#letOpen) === false) continue;
      next = waiting;
      if (next.isOwn) break;
    }
    return next;
  }

  /** Gives a session to a domain that waits, or keeps it for one that may come. @returns whether it did */
  #handOn(held: Held): boolean {
    const { session, permit } = held;
    session.turn += 1;
    if (!this.#isUsable(held) || permit.isDue()) return false;
    // Somebody else may have the permit: not at once if a domain of ours is here, but before a chance that one may come.
    if ((session.turn < TURNS_WHILE_AWAITED || !permit.isWantedByOther()) && this.#give(held)) return true;
    // One that has left others in doubt is not waited for.
    if (session.doubts.isPending) return false;
    // A domain that waits for room alone would wait for as long as it is idle too.
    const leftMs = Math.min(this.#idleMs, this.untilMs - this.#tools.ports.clock.now());
    if (leftMs <= 0 || this.#waiting.size > 0 || permit.isWanted()) return false;
    this.#free.push(held);
    this.#of.idle.keep(this.#of.account, held, leftMs, (broken) => {
      this.#free.splice(this.#free.indexOf(held), 1);
      this.release(held, broken ? 'destroy' : 'quit', 'neutral');
    });
    return true;
  }

  /** To the one that has waited longest of those that it fits; who parts with it soon gives a lane back. @returns whether there was one */
  #give(held: Held): boolean {
    for (const waiting of this.#waiting) {
      if (!waiting.fits(held)) continue;
      waiting.settle(held);
      return true;
    }
    return false;
  }

  #isUsable(held: Held): boolean {
    return isUsable(held, this.budget);
  }

  get #idleMs(): number {
    return this.#of.provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
  }

  #noteUse(): void {
    if (this.#domains === 0 && this.#sessions === 0) this.#of.onUnused();
  }
}
