import type { ConnectionPermit } from '../limits/connection-request.ts';
import type { Clock } from '../ports/ports.ts';
import type { EngineSettings } from '../ports/settings.ts';
import type { ProviderPace } from '../providers/provider-paces.ts';
import type { Target } from '../targets/targets.ts';
import { Budget } from '../session/session-budget.ts';
import { roomFor, type Session } from '../session/session.ts';

// Thousands of domains share a mail host. Those of one batch share sessions with it as well: one transaction each, one
// after the other. A session that has served one domain is handed to the next that comes for the same address, whatever its MX
// host is called. Only a listed provider's hosts are apart: they go by its pace.
//
// No domain's trouble is another's evidence. In a session that others were asked about before only judgements on a mailbox
// and greylisting count (`Visit`); for anything else the domain is asked about again, in a session of its own.

/** Sessions of one batch at one address beyond which a domain waits for one that gets free, for this long at most. */
const SESSIONS_MAX = 8;
const WAIT_MS = 1_000;
/** How long a session is kept open for a domain that may yet come. */
const IDLE_MS = 1_000;
/** Once so many sessions failed after they had served some domains, the next ones serve no more than these. One may be chance. */
const FAILURES_MIN = 2;
/** Domains that a session serves while somebody else waits for its place at the pace. */
const TURNS_WHILE_AWAITED = 4;
/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

/** An open session, with its place at the pace. */
export type Held = { readonly session: Session; readonly place: ConnectionPermit };

type Idle = { readonly held: Held; readonly cancel: () => void };
/** Which sessions a domain takes. */
export type Wanted = {
  /** None that others were asked about in before: it waits for room alone. */
  readonly ownOnly: boolean;
  /** The made-up mailbox is to be asked about: its refusal must not be in doubt. */
  readonly forMadeUp: boolean;
};
type Waiter = Wanted & { readonly settle: (held: Held | null) => void };

/** The sessions that one batch holds, by provider and address. Forgotten with the batch. */
export class SharedSessions {
  readonly #clock: Clock;
  readonly #settings: Pick<EngineSettings, 'budgets' | 'egress' | 'pace'>;
  readonly #hosts = new Map<string, SharedHost>();

  constructor(clock: Clock, settings: Pick<EngineSettings, 'budgets' | 'egress' | 'pace'>) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /**
   * A domain comes to an address.
   * @param provider whose host it is, null for everybody else
   */
  arrive({ ip, port }: Target, provider: ProviderPace | null): SharedHost {
    const key = `${provider?.provider ?? ''} ${ip} ${port}`;
    const known = this.#hosts.get(key) ?? this.#make(provider);
    this.#hosts.set(key, known);
    known.domains += 1;
    return known;
  }

  #make(provider: ProviderPace | null): SharedHost {
    const { budgets, egress, pace } = this.#settings;
    const perEgress = Math.min(pace.connections.perAddress, provider?.connections ?? Infinity);
    return new SharedHost(this.#clock, new Budget(budgets, provider?.recipients ?? null), perEgress, egress.length);
  }

  /** Ends all that are idle. */
  close(): void {
    for (const host of this.#hosts.values()) host.close();
  }
}

/** One address, as the batch knows it. */
export class SharedHost {
  /** What a session may cost there, as all domains have learnt it. */
  readonly budget: Budget;
  /** Domains of the batch that came here. */
  domains = 0;
  readonly #clock: Clock;
  readonly #egresses: number;
  /** Connections at once that the pace allows and the server bears: beyond these only one that gets free will do, however long it takes. */
  #connectionsMax: number;
  readonly #idle = new Set<Idle>();
  readonly #waiting = new Set<Waiter>();
  /** Sessions that stand or are being opened. */
  #open = 0;
  /** How many domains the sessions had served that failed the next one, ascending. */
  #failedAfter: readonly number[] = [];

  /** @param perEgress connections at once from each of our addresses, of which there are `egresses` */
  constructor(clock: Clock, budget: Budget, perEgress: number, egresses: number) {
    this.#clock = clock;
    this.budget = budget;
    this.#egresses = egresses;
    this.#connectionsMax = perEgress * egresses;
  }

  /**
   * A session that is free. If many are open already it is waited for, or for one to end; null: the domain opens one of
   * its own, and says when it has `ended`.
   */
  take(wanted: Wanted, signal: AbortSignal): Held | Promise<Held | null> | null {
    if (signal.aborted) return this.#begin();
    for (const idle of [...this.#idle].toReversed()) {
      if (!this.#isUsable(idle.held)) this.#close(this.#unkeep(idle));
      else if (this.#fits(idle.held, wanted)) return this.#unkeep(idle);
    }
    return this.#open < this.#sessionsMax ? this.#begin() : this.#wait(wanted, signal);
  }

  /** A session could not be had beside those that stand: the server bears so many from one address, for all that can be seen. */
  bears(most: number): void {
    this.#connectionsMax = Math.min(this.#connectionsMax, most * this.#egresses);
  }

  /** A session has ended, or could not be had: one of those who wait opens the next, first of all who takes no other. */
  ended(): void {
    this.#open -= 1;
    if (this.#waiting.size === 0 || this.#open >= this.#connectionsMax) return;
    const waiters = [...this.#waiting];
    (waiters.find(({ ownOnly }) => ownOnly) ?? waiters[0])?.settle(null);
  }

  /** A session that had served so many domains did not serve the next one, for all that can be seen because of them. */
  noteFailure(after: number): void {
    this.#failedAfter = [...this.#failedAfter, after].toSorted((a, b) => a - b).slice(0, FAILURES_MIN);
  }

  /** A domain is done with a session. @returns whether it is kept; if not, it is the caller's to end */
  give(held: Held): boolean {
    held.session.turn += 1;
    if (this.domains < 2 || !this.#isUsable(held)) return false;
    const waiter = [...this.#waiting].find((one) => this.#fits(held, one));
    // Whoever waits for room alone would wait for its idle second too.
    if (waiter === undefined && this.#waiting.size > 0) return false;
    // Somebody else may have the place: not at once if a domain of ours is here, but before a chance that one may come.
    const turnsMax = waiter === undefined ? 0 : TURNS_WHILE_AWAITED;
    if (held.session.turn >= turnsMax && held.place.isWanted()) return false;
    if (waiter === undefined) this.#keep(held);
    else waiter.settle(held);
    return true;
  }

  /** Ends all that are idle. */
  close(): void {
    for (const idle of this.#idle) this.#close(this.#unkeep(idle));
  }

  #begin(): null {
    this.#open += 1;
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
        if (this.#open < this.#connectionsMax) giveUp();
      };
      const waiter: Waiter = { ...wanted, settle };
      const cancel = this.#clock.after(WAIT_MS, hurry);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #keep(held: Held): void {
    const idle: Idle = { held, cancel: this.#clock.after(IDLE_MS, () => this.#close(this.#unkeep(idle))) };
    this.#idle.add(idle);
  }

  #unkeep(idle: Idle): Held {
    idle.cancel();
    this.#idle.delete(idle);
    return idle.held;
  }

  #close({ session, place }: Held): void {
    session.wire.quit();
    place.release('neutral');
    this.ended();
  }

  /** The server does not rest, its replies are in step, and there is room for another domain. */
  #isUsable({ session, place }: Held): boolean {
    const { asked, turn, slipped } = session;
    const { refusalsMax, recipientsMax } = this.budget;
    return (
      !slipped &&
      turn < this.#turnsMax &&
      refusalsMax > asked.refusals &&
      recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
      !place.isCooling()
    );
  }

  /** A host that cannot share is asked by as many domains at a time as it bears. */
  get #sessionsMax(): number {
    return this.#turnsMax <= 1 ? this.#connectionsMax : Math.min(SESSIONS_MAX, this.#connectionsMax);
  }

  #fits({ session }: Held, { ownOnly, forMadeUp }: Wanted): boolean {
    return !ownOnly && (!forMadeUp || this.budget.refusalsMax - session.asked.refusals >= roomFor(session));
  }

  /** Domains that one session may serve. */
  get #turnsMax(): number {
    return this.#failedAfter[FAILURES_MIN - 1] ?? Infinity;
  }
}
