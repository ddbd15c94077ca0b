import type { Place } from '../pace/pace.ts';
import type { Clock } from '../ports/ports.ts';
import type { EngineSettings } from '../ports/settings.ts';
import type { ProviderPace } from '../providers/provider-paces.ts';
import type { Target } from '../targets/targets.ts';
import { Budget } from './budget.ts';
import { roomFor, type Session } from './session.ts';

// Thousands of domains share a mail host. Those of one batch share sessions with it as well: one transaction each, one
// after the other. A session that has served one domain is handed to the next that comes for the same host and address.
//
// No domain's trouble is another's evidence. In a session that others were asked about before, only plain judgements on
// a mailbox count without further ado (`Visit`); for anything else the domain is asked about again in a session of its own.

/** Sessions of one batch at one address beyond which a domain waits for one that gets free, for this long at most. */
const SESSIONS_MAX = 8;
const WAIT_MS = 1_000;
/** How long a session is kept open for a domain that may yet come. */
const IDLE_MS = 1_000;
/** Once so many sessions failed after they had served some domains, the next ones serve no more than these. One may be chance. */
const FAILURES_MIN = 2;
/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

/** An open session, with its place at the pace. */
export type Held = { readonly session: Session; readonly place: Place };

type Idle = { readonly held: Held; readonly cancel: () => void };
type Waiter = { readonly ownOnly: boolean; readonly settle: (held: Held | null) => void };

/** One address of one host, as the batch knows it. */
type SharedHost = {
  readonly budget: Budget;
  /** Connections at once that the pace allows: beyond these only one that gets free will do, however long it takes. */
  readonly connectionsMax: number;
  readonly idle: Idle[];
  readonly waiting: Set<Waiter>;
  /** Domains of the batch that came here. */
  domains: number;
  /** Sessions open here. */
  open: number;
  /** How many domains the sessions had served that failed the next one, ascending. */
  failedAfter: readonly number[];
};

/** The sessions that one batch holds, by host and address. Forgotten with the batch. */
export class SharedSessions {
  readonly #clock: Clock;
  readonly #settings: Pick<EngineSettings, 'budgets' | 'pace'>;
  readonly #at = new Map<string, SharedHost>();

  constructor(clock: Clock, settings: Pick<EngineSettings, 'budgets' | 'pace'>) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /**
   * A domain comes to an address.
   * @param provider whose host it is, null for everybody else
   * @returns the budget of a session there, shared by all domains
   */
  arrive(target: Target, provider: ProviderPace | null): Budget {
    const { budgets, pace } = this.#settings;
    const key = keyOf(target);
    const known = this.#at.get(key);
    const at = known ?? {
      budget: new Budget(budgets, provider?.recipients ?? null),
      connectionsMax: Math.min(pace.connections.perAddress, provider?.connections ?? Infinity),
      idle: [],
      waiting: new Set(),
      domains: 0,
      open: 0,
      failedAfter: [],
    };
    at.domains += 1;
    this.#at.set(key, at);
    return at.budget;
  }

  /**
   * A session that is free. If many are open already it is waited for, or for one to end; null: the domain opens one of its own.
   * @param ownOnly the domain wants none that others were asked about in before: it waits for room alone
   */
  take(target: Target, ownOnly: boolean, signal: AbortSignal): Held | Promise<Held | null> | null {
    const at = this.#at.get(keyOf(target));
    if (at === undefined || signal.aborted) return null;
    for (let idle = ownOnly ? undefined : at.idle.pop(); idle !== undefined; idle = at.idle.pop()) {
      idle.cancel();
      if (isUsable(idle.held, at)) return idle.held;
      this.#close(at, idle.held);
    }
    if (at.open < Math.min(SESSIONS_MAX, at.connectionsMax) || turnsMax(at) <= 1) return null;
    return this.#wait(at, ownOnly, signal);
  }

  #wait(at: SharedHost, ownOnly: boolean, signal: AbortSignal): Promise<Held | null> {
    return new Promise((resolve) => {
      const settle = (held: Held | null): void => {
        at.waiting.delete(waiter);
        cancel();
        signal.removeEventListener('abort', giveUp);
        resolve(held);
      };
      const giveUp = (): void => settle(null);
      const waiter: Waiter = { ownOnly, settle };
      const cancel = at.open < at.connectionsMax ? this.#clock.after(WAIT_MS, giveUp) : (): void => {};
      signal.addEventListener('abort', giveUp, { once: true });
      at.waiting.add(waiter);
    });
  }

  /** A domain begins to open a session of its own. */
  begun(target: Target): void {
    const at = this.#at.get(keyOf(target));
    if (at !== undefined) at.open += 1;
  }

  /** A session has ended, or could not be had: one of those who wait opens the next, first of all who takes no other. */
  ended(target: Target): void {
    const at = this.#at.get(keyOf(target));
    if (at === undefined) return;
    at.open -= 1;
    const waiters = [...at.waiting];
    (waiters.find(({ ownOnly }) => ownOnly) ?? waiters[0])?.settle(null);
  }

  /** A session that had served so many domains did not serve the next one, for all that can be seen because of them. */
  noteFailure(target: Target, after: number): void {
    const at = this.#at.get(keyOf(target));
    if (at !== undefined) at.failedAfter = [...at.failedAfter, after].toSorted((a, b) => a - b).slice(0, FAILURES_MIN);
  }

  /** A domain is done with a session. @returns whether it is kept; if not, it is the caller's to end */
  give(target: Target, held: Held): boolean {
    const at = this.#at.get(keyOf(target));
    held.session.turn += 1;
    if (at === undefined || at.domains < 2 || !isUsable(held, at)) return false;
    const waiter = [...at.waiting].find(({ ownOnly }) => !ownOnly);
    if (waiter !== undefined) waiter.settle(held);
    // Somebody else may have the place: it is not kept from him for the chance that we need it.
    else if (held.place.awaited()) return false;
    else this.#keep(at, held);
    return true;
  }

  /** Ends all that are idle. */
  close(): void {
    for (const at of this.#at.values())
      for (const { held, cancel } of at.idle.splice(0)) {
        cancel();
        this.#close(at, held);
      }
  }

  #keep(at: SharedHost, held: Held): void {
    const cancel = this.#clock.after(IDLE_MS, () => {
      at.idle.splice(at.idle.indexOf(idle), 1);
      this.#close(at, held);
    });
    const idle: Idle = { held, cancel };
    at.idle.push(idle);
  }

  #close(at: SharedHost, { session, place }: Held): void {
    at.open -= 1;
    session.wire.quit();
    place.leave('neutral');
  }
}

/** The server does not rest, and there is room for another domain. */
function isUsable({ session, place }: Held, at: SharedHost): boolean {
  const { asked, turn } = session;
  return (
    turn < turnsMax(at) &&
    at.budget.refusalsMax - asked.refusals >= roomFor(session) &&
    at.budget.recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
    !place.resting()
  );
}

/** Domains that one session may serve. */
function turnsMax({ failedAfter }: SharedHost): number {
  return failedAfter[FAILURES_MIN - 1] ?? Infinity;
}

function keyOf({ host, ip, port }: Target): string {
  return `${host} ${ip} ${port}`;
}
