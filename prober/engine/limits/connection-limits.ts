import type { Ends } from '../ports/cancel.ts';
import type { EngineObserver } from '../ports/observer.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress, LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { judgeIp, type Family } from '../targets/routable.ts';
import { Bucket, type Waiter } from './bucket.ts';
import { Path } from './path.ts';
import { Permit } from './permit.ts';
import { Servers } from './servers.ts';

/** A request to connect. */
export type ConnectionRequest = {
  readonly account: Account;
  /** The domain that is being checked. */
  readonly domain: string;
  /** The provider of the mail host; null if it is not a listed one. */
  readonly provider: ProviderLimits | null;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: there unknown recipients have no limit, unless it plays a listed provider. */
  readonly isOwn?: true | undefined;
  /** A session of the account is open there, and may serve the domain before a new one could start. */
  readonly mayRide?: boolean | undefined;
  /** When waiting is no longer worthwhile, in the clock's milliseconds. */
  readonly deadlineMs: number;
  readonly signal: Ends;
  /** The lane of its domain, given back while it waits; absent if it has none of its own. */
  readonly lane?: Lane | undefined;
};

export type LimitDecision =
  | { readonly kind: 'go'; readonly permit: Permit }
  /**
   * From every egress address the server is in cool-down, has had enough unknown recipients, or allows so few starts
   * that this one would come too late.
   */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };

/** One of our addresses, and the servers as known from there. */
type From = {
  readonly egress: Egress;
  /** Its position in the settings. */
  readonly place: number;
  readonly family: Family | null;
  readonly servers: Servers;
};

/** A waiting connection: what it waits for, and where it is queued. */
type Waiting = Waiter & {
  readonly request: ConnectionRequest;
  readonly settle: (decision: LimitDecision) => void;
  path: Path;
  bucket: Bucket;
};

/**
 * How fast this host connects to others: every connection passes through here, through a bucket of the dialled address,
 * of a listed provider and of the process. It takes its slots all at once, so that none holds one while waiting for
 * another. A waiting connection queues at one exhausted bucket, and moves on to the next one that stops it. No
 * connection waits for a server in cool-down: it is refused with the time after which to retry.
 */
export class ConnectionLimits {
  readonly clock: Clock;
  readonly observer: EngineObserver | null;
  readonly #from: readonly From[];
  readonly #process: Bucket;
  readonly #waiting = new Set<Waiting>();

  constructor(
    clock: Clock,
    egress: readonly Egress[],
    settings: LimitSettings,
    observer: EngineObserver | null = null,
  ) {
    this.clock = clock;
    this.observer = observer;
    this.#from = egress.map((one, place) => ({
      egress: one,
      place,
      family: one.ip === null ? null : (judgeIp(one.ip)?.family ?? null),
      servers: new Servers(clock, settings),
    }));
    this.#process = new Bucket(clock, { connections: settings.connections.inAll });
  }

  /** Dialled addresses in cool-down, counted for each egress address. */
  cooling(): number {
    const now = this.clock.now();
    return this.#from.reduce((sum, { servers }) => sum + servers.cooling(now), 0);
  }

  /** Dialled addresses with any state, counted for each egress address. */
  get size(): number {
    return this.#from.reduce((sum, { servers }) => sum + servers.size, 0);
  }

  /**
   * Requests one connection, from the egress address least used there. Waits for a slot or its turn to start if the
   * request's deadline allows it.
   * @param onWait called when it has to wait, with a function that ends the wait
   */
  acquire(request: ConnectionRequest, onWait?: (giveUp: () => void) => void): LimitDecision | Promise<LimitDecision> {
    if (request.signal.aborted) return { kind: 'ended' };
    const path = this.#choose(request);
    if (!(path instanceof Path)) return path;
    const now = this.clock.now();
    const stopsAt = path.buckets.find((bucket) => !bucket.lets(request.account, now) || bucket.hasNext(now));
    if (stopsAt === undefined) return { kind: 'go', permit: new Permit(this, path, request) };
    return new Promise((resolve) => {
      const settle = (decision: LimitDecision): void => {
        this.#waiting.delete(waiting);
        request.signal.removeEventListener('abort', giveUp);
        lane?.enter();
        resolve(decision);
      };
      const giveUp = (): void => {
        waiting.bucket.dequeue(waiting);
        settle({ kind: 'ended' });
      };
      const { account, lane } = request;
      const isReady = (retry: () => void): boolean => lane?.isReady(retry) ?? true;
      const takeTurn = (): void => this.#takeTurn(waiting);
      const waiting: Waiting = { account, isReady, takeTurn, request, settle, path, bucket: stopsAt };
      request.signal.addEventListener('abort', giveUp);
      this.#waiting.add(waiting);
      lane?.leave();
      onWait?.(giveUp);
      this.#queue(waiting, stopsAt);
    });
  }

  /** The path from the least used egress address among those that may connect; or how long none may. */
  #choose(request: ConnectionRequest): Path | Exclude<LimitDecision, { readonly kind: 'go' }> {
    const { account, ip, provider, isOwn = false } = request;
    const now = this.clock.now();
    let best: { readonly path: Path; readonly waitMs: number } | null = null;
    for (const from of this.#from) {
      if (from.family !== null && from.family !== request.family) continue;
      const listed = provider === null ? null : from.servers.provider(provider);
      const path = new Path(from, from.servers.address(ip, now, isOwn), listed, this.#process);
      // A start after its deadline is no better than a cool-down.
      const restsUntil = Math.max(now, path.restsUntil(account), lateAt(path, request, now, false));
      const waitMs = Math.max(restsUntil - now, path.unknown.waitMs(account, now));
      if (best === null || waitMs < best.waitMs || (waitMs === best.waitMs && path.isLessUsed(best.path, account)))
        best = { path, waitMs };
    }
    if (best === null) return { kind: 'no_egress' };
    if (best.waitMs === 0) return best.path;
    return { kind: 'cooling', waitS: Math.ceil(best.waitMs / 1000) };
  }

  #queue(waiting: Waiting, bucket: Bucket): void {
    waiting.bucket = bucket;
    bucket.enqueue(waiting);
    bucket.serve();
  }

  /** Its bucket lets it start: it does, or queues at another one that stops it. */
  #takeTurn(waiting: Waiting): void {
    const now = this.clock.now();
    const stopsAt = waiting.path.buckets.find((bucket) => !bucket.lets(waiting.account, now));
    if (stopsAt === undefined) waiting.settle({ kind: 'go', permit: new Permit(this, waiting.path, waiting.request) });
    else this.#queue(waiting, stopsAt);
  }

  /**
   * A server is in cool-down, or backs off: connections for which waiting is pointless are refused, or take another
   * path if there is one.
   */
  turnAway(): void {
    const now = this.clock.now();
    for (const waiting of this.#waiting) {
      const { path, bucket, request } = waiting;
      if (Math.max(path.restsUntil(request.account), lateAt(path, request, now, true)) <= now) continue;
      bucket.dequeue(waiting);
      const other = this.#choose(request);
      if (!(other instanceof Path)) {
        waiting.settle(other);
        continue;
      }
      waiting.path = other;
      this.#queue(waiting, other.address.bucket);
    }
  }
}

/** When a connection may start, if that is after its deadline; 0: it can start in time. */
function lateAt(
  path: Path,
  { account, deadlineMs, mayRide }: ConnectionRequest,
  now: number,
  isQueued: boolean,
): number {
  if (mayRide === true) return 0;
  const at = path.reachedAt(account, now, isQueued);
  return at > deadlineMs ? at : 0;
}
