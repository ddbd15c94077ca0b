import type { Ends } from '../ports/cancel.ts';
import type { LimitDecision } from '../limits/connection-limits.ts';
import type { Permit, SessionResult } from '../limits/permit.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Session } from '../session/session.ts';
import { SessionBudget } from '../session/session-budget.ts';
import { type Failed, failed } from '../session/session-failure.ts';
import type { Target } from '../targets/targets.ts';
import { type Fate, hasRoomForMadeUp, type Held, isUsable } from './held-session.ts';
import type { IdleSessions, Owner } from './idle-sessions.ts';
import { type Asker, type Crowded, openPermitted, turnedAway } from './open-session.ts';
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
export type Acquired = Held | Crowded | Failed;

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
  readonly wanted: Wanted;
  readonly lane: Lane | undefined;
  /** It has room, and waits for the limits. */
  readonly isOpening: boolean;
  /** @param held null: it is to open one */
  readonly settle: (held: Held | null) => void;
};

/** What the limits decided, or a session that got free meanwhile. */
type Entry = LimitDecision | { readonly kind: 'found'; readonly held: Held };

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
export class HostSessions implements Owner {
  /** What a session may cost there, as all domains have learnt it. */
  readonly budget: SessionBudget;
  readonly #tools: Tools;
  readonly #of: HostSessionsOptions;
  /** Those of them that nobody uses, the longest first. */
  readonly #free: Held[] = [];
  /** The one that has waited longest first. */
  readonly #waiting: Waiting[] = [];
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
    const { signal } = asker;
    if (!signal.aborted) {
      const free = this.#takeFree(wanted);
      if (free !== null) return this.#serve(free, signal);
      if (this.#sessions >= SESSIONS_MAX) this.#endLongest();
      if (this.#sessions >= SESSIONS_MAX)
        return this.#wait(asker, wanted).then((held) =>
          held === null ? this.#open(asker, target, wanted) : this.#serve(held, signal),
        );
    }
    this.#sessions += 1;
    return this.#open(asker, target, wanted);
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

  #serve(held: Held, signal: Ends): Held {
    held.session.wire.serve(signal);
    return held;
  }

  /** Waits for a session that gets free, or for room for another. */
  #wait(asker: Asker, wanted: Wanted): Promise<Held | null> {
    const { signal } = asker;
    const lane = laneOf(asker, wanted);
    lane?.leave();
    return new Promise((resolve) => {
      const giveUp = (): void => settle(null);
      const settle = (held: Held | null): void => {
        this.#forget(waiting);
        signal.removeEventListener('abort', giveUp);
        lane?.enter();
        if (held === null) this.#sessions += 1;
        resolve(held);
      };
      const waiting: Waiting = { wanted, lane, isOpening: false, settle };
      signal.addEventListener('abort', giveUp);
      this.#waiting.push(waiting);
    });
  }

  #forget(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Opens a session, or takes one that gets free while it waits for the limits. */
  async #open(asker: Asker, target: Target, wanted: Wanted): Promise<Acquired> {
    const { signal } = asker;
    const { clock } = this.#tools.ports;
    const startedAt = clock.now();
    let permit: Permit | null = null;
    let isOpen = false;
    try {
      if (!isNeeded(wanted)) return failed('limits', 'ended', null);
      const asked = this.#admit(asker, target, wanted);
      const entry = asked instanceof Promise ? await asked : asked;
      const waitedMs = clock.now() - startedAt;
      asker.job.spent.waitingMs += waitedMs;
      if (entry.kind === 'found') return this.#serve(entry.held, signal);
      if (entry.kind !== 'go') return turnedAway(entry);
      permit = entry.permit;
      if (!isNeeded(wanted)) return failed('limits', 'ended', null);
      this.#tools.settings.observer?.waitedForLimits(permit.seat.provider, waitedMs);
      const opened = await openPermitted(this.#tools, asker, target, permit, wanted);
      isOpen = opened.kind === 'open';
      return opened;
    } finally {
      if (!isOpen) {
        permit?.release('neutral');
        this.#ended();
      }
    }
  }

  /** Asks the limits. While it waits for them a session that gets free will do as well: then nothing is dialled. */
  #admit(asker: Asker, { ip, family, isOwn }: Target, wanted: Wanted): Entry | Promise<Entry> {
    const { domain, signal } = asker;
    const { account, deadlineMs } = asker.job;
    const { provider } = this.#of;
    const lane = laneOf(asker, wanted);
    const mayRide = wanted.use === 'shared' && this.#sessions > 1;
    let found: Held | null = null;
    let waiting: Waiting | null = null;
    const decision = this.#tools.limits.acquire(
      { account, domain, provider, ip, family, isOwn, mayRide, deadlineMs, signal, lane },
      (giveUp) => {
        const settle = (held: Held | null): void => {
          this.#forget(queued);
          found = held;
          giveUp();
        };
        const queued = { wanted, lane, isOpening: true, settle };
        this.#waiting.push(queued);
        waiting = queued;
      },
    );
    if (!(decision instanceof Promise)) return decision;
    return decision.then((decided): Entry => {
      if (waiting !== null) this.#forget(waiting);
      if (found === null) return decided;
      // It was found in the very moment that another was let in.
      if (decided.kind === 'go') decided.permit.release('neutral');
      return { kind: 'found', held: found };
    });
  }

  /** Whether an open session will do. */
  #fits(held: Held, { use, except, forMadeUp }: Wanted): boolean {
    if (use === 'own' || except?.includes(held.session) === true) return false;
    return !forMadeUp || hasRoomForMadeUp(held, this.budget);
  }

  /** The latest session that nobody uses and that fits. */
  #takeFree(wanted: Wanted): Held | null {
    for (const held of this.#free.toReversed()) {
      // One that this domain has had makes room for its next.
      if (!isUsable(held, this.budget) || wanted.except?.includes(held.session) === true) this.#of.idle.end(held);
      else if (this.#fits(held, wanted)) {
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
    while (this.#waiting.length > 0 && this.#sessions < SESSIONS_MAX) {
      const next = this.#nextToOpen();
      if (next === null) return;
      next.settle(null);
    }
  };

  #nextToOpen(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      const isOwn = waiting.wanted.use === 'own';
      if (waiting.isOpening || (next !== null && !isOwn)) continue;
      if (waiting.lane?.isReady(this.#letOpen) === false) continue;
      next = waiting;
      if (isOwn) break;
    }
    return next;
  }

  /** Gives a session to a domain that waits, or keeps it for one that may come. @returns whether it did */
  #handOn(held: Held): boolean {
    const { session, permit } = held;
    session.turn += 1;
    if (!isUsable(held, this.budget) || permit.isDue()) return false;
    // Somebody else may have the permit: not at once if a domain of ours is here, but before a chance that one may come.
    if ((session.turn < TURNS_WHILE_AWAITED || !permit.isWanted('others')) && this.#give(held)) return true;
    // One that has left others in doubt is not waited for.
    if (session.doubts.isPending) return false;
    // A domain that waits for room alone would wait for as long as it is idle too.
    const idleMs = this.#of.provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
    const leftMs = Math.min(idleMs, this.untilMs - this.#tools.ports.clock.now());
    if (leftMs <= 0 || this.#waiting.length > 0 || permit.isWanted('anybody')) return false;
    this.#free.push(held);
    this.#of.idle.keep(this.#of.account, held, leftMs, this);
    return true;
  }

  endIdle(held: Held, fate: 'quit' | 'destroy'): void {
    this.#free.splice(this.#free.indexOf(held), 1);
    this.release(held, fate, 'neutral');
  }

  /** To the one that has waited longest of those that it fits; who parts with it soon gives a lane back. @returns whether there was one */
  #give(held: Held): boolean {
    for (const waiting of this.#waiting) {
      if (!this.#fits(held, waiting.wanted)) continue;
      waiting.settle(held);
      return true;
    }
    return false;
  }

  #noteUse(): void {
    if (this.#domains === 0 && this.#sessions === 0) this.#of.onUnused();
  }
}

/** What is given back while it waits; a session that helps another has no lane of its own. */
function laneOf({ lane }: Asker, { helps }: Wanted): Lane | undefined {
  return helps === undefined ? lane : undefined;
}

/** The session that it helps, if any, still has somebody for it. */
function isNeeded({ helps }: Wanted): boolean {
  return helps?.isNeeded() !== false;
}
