import type { Ends } from '../ports/cancel.ts';
import type { LimitDecision } from '../limits/connection-limits.ts';
import type { Permit } from '../limits/permit.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Session } from '../smtp/session.ts';
import { SessionBudget } from './session-budget.ts';
import { type Failed, failed } from '../smtp/failure.ts';
import type { Target } from '../targets/targets.ts';
import { type Fate, type Held, isUsable } from './held-session.ts';
import type { IdleSessions, Owner } from './idle-sessions.ts';
import { type Asker, type Crowded, openPermitted, turnedAway } from './open-session.ts';
import type { Tools } from './tools.ts';

// Thousands of domains share a mail host, and callers return. All domains of one account, from all its batches, share
// sessions with an address: one transaction each, in sequence, under any MX host name. Only a listed provider's hosts
// are kept apart: they have limits of their own.
//
//     acquire ─► an idle session                               ─┐
//             ─► a new session; while it waits for the limits,  ├─► release ─► handed on to a waiting domain
//                one that another domain releases               │           ─► kept idle for a while
//             ─► none: no session could be had                  │           ─► closed
//
// One domain's trouble is never another's evidence: in a session that served others before, only verdicts on a mailbox
// and greylisting count (`visit/trust.ts`). After anything else the domain is asked about again in a session of its own.

/** With this many sessions of one account at one address, a domain waits for one to become free. */
const SESSIONS_MAX = 8;
/** How long a session is kept open for a domain that may follow: as Postfix does, and at listed providers. */
const IDLE_MS = 2_000;
const IDLE_AT_PROVIDER_MS = 5_000;
/** Domains that a session serves while another account's connection waits for its permit. */
const TURNS_WHILE_AWAITED = 4;

/** The result of asking for a session. If it is `open` it is the caller's until released. */
export type Acquired = Held | Crowded | Failed;

export type Wanted = {
  /** One that may have served others, or one without any earlier domains. */
  readonly use: 'shared' | 'own';
  /** A server that offered PIPECONNECT may be sent commands before it greets. */
  readonly early: boolean;
  /** A second session for a domain whose first one has its lane, if recipients are left for it. */
  readonly helps?: { readonly isNeeded: () => boolean };
  /** Sessions in which the domain was asked about: none of them again. */
  readonly except?: readonly Session[];
};

/** A waiting domain: for a session to become free, or for room to open one. */
type Waiting = {
  readonly wanted: Wanted;
  readonly lane: Lane | undefined;
  /** It has room, and waits for the limits. */
  readonly isOpening: boolean;
  /** @param held null: open one */
  readonly settle: (held: Held | null) => void;
};

/** The decision of the limits, or a session that became free meanwhile. */
type Entry = LimitDecision | { readonly kind: 'found'; readonly held: Held };

export type HostSessionsOptions = {
  readonly account: Account;
  readonly provider: ProviderLimits | null;
  /** When what is known of the server expires, in the clock's milliseconds: no session is kept idle beyond it. */
  readonly untilMs: number;
  readonly idle: IdleSessions;
  /** No domain uses it, and no session is held. */
  readonly onUnused: () => void;
};

export class HostSessions implements Owner {
  /** The budget of a session there, as learnt from all domains. */
  readonly budget: SessionBudget;
  takesGroups = true;
  readonly #tools: Tools;
  readonly #of: HostSessionsOptions;
  /** The idle ones, longest first. */
  readonly #free: Held[] = [];
  /** The one that has waited longest first. */
  readonly #waiting: Waiting[] = [];
  readonly #opening: Promise<unknown>[] = [];
  #domains = 0;
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
   * A session for one domain: an idle one, or a new one once the limits allow it, or one that becomes free before that.
   * If many are open already, it waits for one of them to become free or end. A waiting domain gives its lane back.
   */
  acquire(asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    const { signal } = asker;
    if (!signal.aborted) {
      const free = this.#takeFree(wanted);
      if (free !== null) return this.#serve(free, signal);
      if (this.#sessions >= SESSIONS_MAX)
        return this.#wait(asker, wanted).then((held) =>
          held === null ? this.#open(asker, target, wanted) : this.#serve(held, signal),
        );
    }
    this.#sessions += 1;
    return this.#open(asker, target, wanted);
  }

  /** The only way to part with an acquired session. How it went is reported before. */
  release(held: Held, fate: Fate): void {
    if (fate === 'hand_on' && this.#handOn(held)) return;
    if (fate === 'destroy') held.session.wire.destroy();
    else if (fate !== 'over') held.session.wire.quit();
    held.watch?.ends();
    held.permit.release('neutral');
    this.#ended();
  }

  #serve(held: Held, signal: Ends): Held {
    held.session.wire.serve(signal);
    return held;
  }

  /** Waits for a session to become free, or for room for another. */
  #wait(asker: Asker, wanted: Wanted): Promise<Held | null> {
    const { signal, job } = asker;
    const { clock } = this.#tools.ports;
    const lane = laneOf(asker, wanted);
    const startedAt = clock.now();
    lane?.leave();
    return new Promise((resolve) => {
      const giveUp = (): void => settle(null);
      const settle = (held: Held | null): void => {
        job.spent.waitingMs += clock.now() - startedAt;
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

  /** Opens a session, or takes one that becomes free while it waits for the limits. */
  async #open(asker: Asker, target: Target, wanted: Wanted): Promise<Acquired> {
    const { signal } = asker;
    const { clock } = this.#tools.ports;
    const startedAt = clock.now();
    let permit: Permit | null = null;
    let isOpen = false;
    try {
      const met = asker.job.failures.get(target.ip);
      const { cause, outcome = null } = met?.failure ?? {};
      if (met !== undefined && cause === 'timeout' && (outcome !== null || asker.patienceMs < Infinity)) return met;
      if (!isNeeded(wanted)) return failed('limits', 'ended', null);
      const asked = this.#admit(asker, target, wanted);
      const entry = asked instanceof Promise ? await asked : asked;
      const waitedMs = clock.now() - startedAt;
      asker.job.spent.waitingMs += waitedMs;
      if (entry.kind === 'found') return this.#serve(entry.held, signal);
      if (entry.kind !== 'go') {
        // Whether the server refuses everyone shows once those dialled together have been answered.
        if (entry.kind === 'cooling') await Promise.allSettled(this.#opening);
        return turnedAway(entry, asker.job.failures.get(target.ip));
      }
      permit = entry.permit;
      if (!isNeeded(wanted)) return failed('limits', 'ended', null);
      this.#tools.settings.observer?.waitedForLimits(permit.seat.provider, waitedMs);
      const opening = openPermitted(this.#tools, asker, target, permit, wanted);
      this.#opening.push(opening);
      const opened = await opening.finally(() => this.#opening.splice(this.#opening.indexOf(opening), 1));
      isOpen = opened.kind === 'open';
      return opened;
    } finally {
      if (!isOpen) {
        permit?.release('neutral');
        this.#ended();
      }
    }
  }

  /** Asks the limits. While it waits, a session that becomes free will do as well: then nothing is dialled. */
  #admit(asker: Asker, { ip, family, isOwn }: Target, wanted: Wanted): Entry | Promise<Entry> {
    const { domain, signal } = asker;
    const { account, deadlineMs } = asker.job;
    const { provider } = this.#of;
    const lane = laneOf(asker, wanted);
    // A session that is open may serve it before a new one could start.
    const startsBy = wanted.use === 'shared' && this.#sessions > 1 ? Infinity : deadlineMs;
    let found: Held | null = null;
    let waiting: Waiting | null = null;
    const decision = this.#tools.limits.acquire(
      {
        account,
        domain,
        lot: asker.draws('egress')(),
        provider,
        ip,
        family,
        isOwn,
        deadlineMs: startsBy,
        signal,
        lane,
      },
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
      // It was found at the very moment that another was allowed.
      if (decided.kind === 'go') decided.permit.release('neutral');
      return { kind: 'found', held: found };
    });
  }

  #takeFree({ use, except }: Wanted): Held | null {
    for (const held of this.#free.toReversed()) {
      // One that this domain has used makes room for the next.
      if (!isUsable(held, this.budget) || except?.includes(held.session) === true) this.#of.idle.end(held);
      else if (use === 'shared') {
        this.#of.idle.take(held);
        this.#free.splice(this.#free.indexOf(held), 1);
        return held;
      }
    }
    // One that may not serve it makes room for a session of its own.
    if (this.#sessions >= SESSIONS_MAX && this.#free[0] !== undefined) this.#of.idle.end(this.#free[0]);
    return null;
  }

  /** A session has ended, or could not be had: a waiting domain opens the next, preferably one that needs its own. */
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

  /** Gives a session to a waiting domain, or keeps it for one that may follow. @returns whether it did */
  #handOn(held: Held): boolean {
    const { session, permit } = held;
    session.turn += 1;
    if (!isUsable(held, this.budget) || permit.isDue()) return false;
    // Another account may want the permit: waiting domains of ours come first for a few turns, but mere chance does
    // not.
    if ((session.turn < TURNS_WHILE_AWAITED || !permit.isWanted('others')) && this.#give(held)) return true;
    // A domain that waits only for room would wait for as long as this one is idle.
    const idleMs = this.#of.provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
    const leftMs = Math.min(idleMs, this.untilMs - this.#tools.ports.clock.now());
    if (leftMs <= 0 || this.#waiting.length > 0 || permit.isWanted('anybody')) return false;
    this.#free.push(held);
    this.#of.idle.keep(this.#of.account, held, leftMs, this);
    return true;
  }

  endIdle(held: Held, fate: 'quit' | 'destroy'): void {
    this.#free.splice(this.#free.indexOf(held), 1);
    this.release(held, fate);
  }

  /** Gives it to the domain that has waited longest of those it suits. @returns whether there was one */
  #give(held: Held): boolean {
    const suited = this.#waiting.find(
      ({ wanted: { use, except } }) => use === 'shared' && except?.includes(held.session) !== true,
    );
    suited?.settle(held);
    return suited !== undefined;
  }

  #noteUse(): void {
    if (this.#domains === 0 && this.#sessions === 0) this.#of.onUnused();
  }
}

/** Given back while it waits; a session that helps another has no lane of its own. */
function laneOf({ lane }: Asker, { helps }: Wanted): Lane | undefined {
  return helps === undefined ? lane : undefined;
}

/** The session that it helps, if any, still has recipients for it. */
function isNeeded({ helps }: Wanted): boolean {
  return helps?.isNeeded() !== false;
}
