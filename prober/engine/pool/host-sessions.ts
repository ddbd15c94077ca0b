import type { SessionResult } from '../limits/connection-request.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Session } from '../session/session.ts';
import { SessionBudget } from '../session/session-budget.ts';
import type { Failed } from '../session/session-failure.ts';
import type { Target } from '../targets/targets.ts';
import { type Fate, hasRoomForMadeUp, type Held, isUsable } from './held-session.ts';
import type { IdleBound } from './idle-bound.ts';
import { IdleSessions } from './idle-sessions.ts';
import { type Asker, type Crowded, openWithinLimits } from './open-session.ts';
import { SessionQuota, type Use } from './session-quota.ts';
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
// and greylisting count (`visit/trust.ts`). Anything else is provisional: it is believed once the session judges another
// domain's mailbox, and if it ends before, the domain is asked about again in a session of its own.

/** A domain that finds no session free waits at most this long for one before it may open another. */
const WAIT_MS = 1_000;
/** How long a session is kept open for a domain that may yet come: as Postfix does it, and at listed providers. */
const IDLE_MS = 2_000;
const IDLE_AT_PROVIDER_MS = 5_000;
/** Domains that a session serves while another account's connection waits for its permit. */
const TURNS_WHILE_AWAITED = 4;

/** What came of asking for a session. If it is `open` it is the caller's until it is released. */
export type Acquired = ({ readonly kind: 'open' } & Held) | Crowded | Failed;

/** Which session a domain asks for. */
export type Wanted = {
  readonly use: Use;
  /** The made-up mailbox is to be asked about: its refusal must not be in doubt. */
  readonly forMadeUp: boolean;
  /** A server that offered PIPECONNECT may be talked to before it greets. */
  readonly early: boolean;
  /** It is to help another session of the same domain. */
  readonly helps?: boolean;
  /** Those in which the domain was asked about: none of them again. */
  readonly except?: ReadonlySet<Session>;
};

export type HostSessionsOptions = {
  readonly account: Account;
  readonly provider: ProviderLimits | null;
  /** When what is known of the server is old, in the clock's milliseconds: no session is kept idle from then on. */
  readonly untilMs: number;
  /** Of the idle sessions of all accounts. */
  readonly bound: IdleBound;
  /** No domain is here, and no session is held. */
  readonly onUnused: () => void;
};

/** The sessions of one account at one address. */
export class HostSessions {
  /** What a session may cost there, as all domains have learnt it. */
  readonly budget: SessionBudget;
  readonly quota: SessionQuota;
  readonly untilMs: number;
  readonly #tools: Tools;
  readonly #idleMs: number;
  readonly #onUnused: () => void;
  readonly #idle: IdleSessions;
  readonly #waiters: Waiters<Held>;
  #domains = 0;

  constructor(tools: Tools, { account, provider, untilMs, bound, onUnused }: HostSessionsOptions) {
    const { budgets, egress, limits } = tools.settings;
    const { clock } = tools.ports;
    const atOneEgress = Math.min(limits.connections.perAddress, provider?.connections ?? Infinity);
    this.budget = new SessionBudget(budgets, provider?.recipients ?? null);
    this.quota = new SessionQuota(atOneEgress * egress.length);
    this.untilMs = untilMs;
    this.#tools = tools;
    this.#idleMs = provider === null ? IDLE_MS : IDLE_AT_PROVIDER_MS;
    this.#onUnused = onUnused;
    this.#waiters = new Waiters(clock, WAIT_MS);
    const end = (held: Held, fate: Fate): void => this.release(held, fate, 'neutral');
    this.#idle = new IdleSessions({ account, clock, bound, end });
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
   * are open already, one of them is waited for, or for one to end.
   */
  acquire(asker: Asker, target: Target, wanted: Wanted): Acquired | Promise<Acquired> {
    const { use, except } = wanted;
    const { signal } = asker.job;
    const seeker = this.#seeker(asker, target, wanted);
    const begin = (): void => this.quota.begin();
    const open = (): Promise<Acquired> => this.#open(asker, target, wanted, seeker);
    if (!signal.aborted) {
      const free = this.#takeIdle(seeker, except);
      if (free !== null) return { kind: 'open', ...free };
      if (!this.quota.hasRoom) this.#idle.endLongest();
    }
    if (signal.aborted || this.quota.hasRoom) {
      begin();
      return open();
    }
    const hasRoom = (): boolean => this.quota.hasConnectionLeft;
    const given = this.#waiters.wait({ ...seeker, isOwn: use === 'own', hasRoom, open: begin }, signal);
    return given.then((held) => (held === null ? open() : { kind: 'open', ...held }));
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

  /** Opens a session. While it waits for the limits one that gets free will do as well: then nothing is dialled. */
  async #open(asker: Asker, target: Target, wanted: Wanted, { fits, take }: Rider<Held>): Promise<Acquired> {
    let isOpen = false;
    const ride: { held: Held | null; dismiss?: () => void } = { held: null };
    const onWait = (giveUp: () => void): void => {
      ride.dismiss = this.#waiters.addRider({
        fits,
        take: (held) => {
          take(held);
          ride.held = held;
          giveUp();
        },
      });
    };
    const isWanted = (): boolean => {
      ride.dismiss?.();
      return ride.held === null;
    };
    try {
      const opened = await openWithinLimits(this.#tools, asker, target, { ...wanted, onWait, isWanted });
      if (ride.held !== null) return { kind: 'open', ...ride.held };
      isOpen = opened.kind === 'open';
      if (opened.kind === 'crowded') this.quota.lower(opened.bears * this.#tools.settings.egress.length);
      return opened;
    } finally {
      if (!isOpen) this.#ended();
    }
  }

  #seeker({ job }: Asker, { host }: Target, { use, forMadeUp, except }: Wanted): Rider<Held> {
    const fits = (held: Held): boolean => {
      const { session, permit } = held;
      if (use === 'own' || except?.has(session) === true) return false;
      if ((job.restsUntil?.(permit.egress.ip, host) ?? 0) > this.#tools.ports.clock.now()) return false;
      return !forMadeUp || hasRoomForMadeUp(held, this.budget);
    };
    return {
      fits,
      take: ({ session, watch }) => {
        session.wire.serve(job.signal);
        watch?.reused();
      },
    };
  }

  /** The latest session that nobody uses and that fits. */
  #takeIdle({ fits, take }: Rider<Held>, except: Wanted['except']): Held | null {
    for (const held of this.#idle.latestFirst()) {
      // One that this domain has had makes room for its next.
      if (!this.#isUsable(held) || except?.has(held.session) === true) this.#idle.end(held);
      else if (fits(held)) {
        take(this.#idle.take(held));
        return held;
      }
    }
    return null;
  }

  /** A session has ended, or could not be had: a waiting domain opens the next, first of all one that takes no other. */
  #ended(): void {
    this.quota.end();
    if (this.quota.hasConnectionLeft) this.#waiters.letOpen();
    this.#noteUse();
  }

  /** Gives a session to a domain that waits, or keeps it for one that may come. @returns whether it did */
  #handOn(held: Held): boolean {
    const { session, permit } = held;
    session.turn += 1;
    if (!this.#isUsable(held) || permit.isDue()) return false;
    // Somebody else may have the permit: not at once if a domain of ours is here, but before a chance that one may come.
    if (session.turn < TURNS_WHILE_AWAITED || !permit.isWantedByOther()) if (this.#waiters.give(held)) return true;
    // One that has left others in doubt is not waited for.
    if (session.doubts.isPending) return false;
    // A domain that waits for room alone would wait for as long as it is idle too.
    const leftMs = Math.min(this.#idleMs, this.untilMs - this.#tools.ports.clock.now());
    if (leftMs <= 0 || this.#waiters.size > 0 || permit.isWanted()) return false;
    this.#idle.keep(held, leftMs);
    return true;
  }

  #isUsable(held: Held): boolean {
    return isUsable(held, this.budget, this.quota.turnsMax);
  }

  #noteUse(): void {
    if (this.#domains === 0 && this.quota.isUnused) this.#onUnused();
  }
}
