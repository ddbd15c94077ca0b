import type { Ends } from '../ports/cancel.ts';
import type { EngineObserver } from '../ports/observer.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress, LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { judgeIp, type Family } from '../targets/routable.ts';
import { Semaphore, type Waiter } from './semaphore.ts';
import { Permit } from './permit.ts';
import { Servers } from './servers.ts';

export type ConnectionRequest = {
  readonly account: Account;
  readonly domain: string;
  /** In [0, 1): chooses the egress address that is preferred while it is free. Absent: the least used one. */
  readonly lot?: number;
  /** The provider of the mail host; null if it is not a listed one. */
  readonly provider: ProviderLimits | null;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: there unknown recipients have no limit, unless it plays a listed provider. */
  readonly isOwn?: true | undefined;
  /** When a start is too late, in the clock's milliseconds: one that would be is refused at once. */
  readonly deadlineMs: number;
  readonly signal: Ends;
  /** The lane of its domain, given back while it waits; absent if it has none of its own. */
  readonly lane?: Lane | undefined;
};

export type LimitDecision =
  | { readonly kind: 'go'; readonly permit: Permit }
  /** From everywhere the server is in cool-down, has had enough unknown recipients, or lets this one start too late. */
  | { readonly kind: 'cooling'; readonly waitS: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'no_egress' };

/** One of our addresses, and the servers as known from there. */
type From = { readonly egress: Egress; readonly family: Family | null; readonly servers: Servers };

type Waiting = Waiter & {
  readonly request: ConnectionRequest;
  readonly settle: (decision: LimitDecision) => void;
  permit: Permit;
  semaphore: Semaphore;
};

/**
 * How fast this host connects to others: each connection needs a slot in the semaphore of the dialled address, of a listed
 * provider and of the process. It takes them all at once, so that none holds one while waiting for another, and queues
 * at one exhausted semaphore after the other. None waits for a server in cool-down.
 */
export class ConnectionLimits {
  readonly clock: Clock;
  readonly observer: EngineObserver | null;
  readonly inAll: Semaphore;
  /** Ends an idle connection, if there is one, that is in the way of a waiting one. */
  endIdle: ((isInTheWay: (permit: Permit) => boolean) => void) | null = null;
  readonly #from: readonly From[];
  readonly #waiting = new Set<Waiting>();

  constructor(
    clock: Clock,
    egress: readonly Egress[],
    settings: LimitSettings,
    observer: EngineObserver | null = null,
  ) {
    this.clock = clock;
    this.observer = observer;
    const makeRoom = (semaphore: Semaphore): void => this.endIdle?.((permit) => permit.semaphores.includes(semaphore));
    this.#from = egress.map((one, place) => ({
      egress: one,
      family: one.ip === null ? null : (judgeIp(one.ip)?.family ?? null),
      servers: new Servers(clock, settings, place, makeRoom),
    }));
    this.inAll = new Semaphore(clock, { connections: settings.connections.inAll, makeRoom });
  }

  /** Dialled addresses in cool-down, counted for each egress address. */
  cooling(): number {
    const now = this.clock.now();
    return this.#from.reduce((sum, { servers }) => sum + servers.cooling(now), 0);
  }

  /**
   * Requests one connection. Waits for a slot or its turn to start if the request's deadline allows it.
   * @param onWait called when it has to wait, with a function that ends the wait
   */
  acquire(request: ConnectionRequest, onWait?: (giveUp: () => void) => void): LimitDecision | Promise<LimitDecision> {
    if (request.signal.aborted) return { kind: 'ended' };
    const permit = this.#choose(request);
    if (!(permit instanceof Permit)) return permit;
    const { account, lane, signal } = request;
    const semaphore = permit.stopsAt();
    if (semaphore === undefined) return { kind: 'go', permit: permit.begin() };
    return new Promise((resolve) => {
      const settle = (decision: LimitDecision): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', giveUp);
        lane?.enter();
        resolve(decision);
      };
      const giveUp = (): void => {
        // It may have been settled at this very moment.
        if (!this.#waiting.has(waiting)) return;
        waiting.semaphore.dequeue(waiting);
        settle({ kind: 'ended' });
      };
      const takeTurn = (): void => this.#takeTurn(waiting);
      const waiting: Waiting = { account, lane, takeTurn, request, settle, permit, semaphore };
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(waiting);
      lane?.leave();
      onWait?.(giveUp);
      semaphore.enqueue(waiting);
    });
  }

  /**
   * From an egress address that may connect: the one of the request's lot if it is free, so that a server that greylists
   * meets it again on a retry; else, and at a listed provider, the least used; or how long none may.
   */
  #choose(request: ConnectionRequest): Permit | Exclude<LimitDecision, { readonly kind: 'go' }> {
    const { ip, provider, lot, isOwn = false } = request;
    const now = this.clock.now();
    let best: Permit | null = null;
    let waitS = Infinity;
    const from = this.#from.filter(({ family }) => family === null || family === request.family);
    const preferred = lot === undefined || provider !== null ? undefined : from[Math.floor(lot * from.length)];
    for (const one of from) {
      const { egress, servers } = one;
      const listed = provider === null ? null : servers.provider(provider);
      const address = servers.address(ip, now, isOwn);
      address.refusals.isListed ||= listed !== null;
      const permit = new Permit(this, request, egress, address, listed);
      const afterS = permit.waitS(false);
      if (one === preferred && afterS === 0 && permit.stopsAt() === undefined) return permit;
      if (best !== null && (afterS > waitS || (afterS === waitS && !address.isLessUsed(best.server)))) continue;
      best = permit;
      waitS = afterS;
    }
    if (best === null) return { kind: 'no_egress' };
    return waitS === 0 ? best : { kind: 'cooling', waitS };
  }

  /** Its semaphore lets it start: it does, or queues at another one that stops it. */
  #takeTurn(waiting: Waiting): void {
    const semaphore = waiting.permit.stopsAt();
    if (semaphore === undefined) waiting.settle({ kind: 'go', permit: waiting.permit.begin() });
    else queue(waiting, semaphore);
  }

  /** A server wants fewer: connections for which waiting is pointless are refused, or take another way. */
  turnAway(): void {
    for (const waiting of this.#waiting) {
      if (waiting.permit.waitS(true) === 0) continue;
      waiting.semaphore.dequeue(waiting);
      const other = this.#choose(waiting.request);
      if (other instanceof Permit) {
        waiting.permit = other;
        queue(waiting, other.semaphores[0]);
      } else waiting.settle(other);
    }
  }
}

function queue(waiting: Waiting, semaphore: Semaphore): void {
  waiting.semaphore = semaphore;
  semaphore.enqueue(waiting);
}
