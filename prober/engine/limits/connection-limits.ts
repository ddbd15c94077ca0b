import type { Ends } from '../ports/cancel.ts';
import type { EngineObserver } from '../ports/observer.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress, LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { canonicalIp, type Family } from '../targets/routable.ts';
import { Bucket, type Waiter } from './bucket.ts';
import { Path } from './path.ts';
import { Permit } from './permit.ts';
import { Servers } from './servers.ts';

/** A request to connect. */
export type ConnectionRequest = {
  readonly account: Account;
  /** The domain that is asked about. */
  readonly domain: string;
  /** Whose mail host it is; null if it is no listed provider's. */
  readonly provider: ProviderLimits | null;
  readonly ip: string;
  readonly family: Family;
  /** The mail host is the operator's own: unknown recipients have no limit there, unless it plays a listed provider. */
  readonly isOwn?: true | undefined;
  /** A session of the account stands there, and may serve the domain before one could begin. */
  readonly mayRide?: boolean | undefined;
  /** When waiting is no longer worth it, in the clock's milliseconds. */
  readonly deadlineMs: number;
  readonly signal: Ends;
  /** The lane of its domain, given back while it waits; absent: it has none of its own. */
  readonly lane?: Lane | undefined;
};

export type LimitDecision =
  | { readonly kind: 'go'; readonly permit: Permit }
  /**
   * From every egress address the server rests, has had enough unknown recipients, or bears so few starts that this one would
   * come too late.
   */
  | { readonly kind: 'cooling'; readonly waitS: number }
  /** The signal fired while waiting. */
  | { readonly kind: 'ended' }
  /** No egress address is of the family. */
  | { readonly kind: 'no_egress' };

/** One of our addresses, and what is known from there. */
type From = {
  readonly egress: Egress;
  /** In the settings. */
  readonly place: number;
  readonly family: Family | null;
  readonly servers: Servers;
};

/** A connection that waits: for what, and where it is queued. */
type Waiting = Waiter & {
  readonly request: ConnectionRequest;
  readonly settle: (decision: LimitDecision) => void;
  path: Path;
  bucket: Bucket;
};

/**
 * How fast this host connects to others: every connection passes here, through a bucket of the dialled address, of a listed
 * provider and of the process. It takes its places at once, so that none holds one while it waits for another. A connection
 * that must wait is queued at one bucket that stops it, and moves on to the next that does. Nobody waits for a server that
 * rests: it is turned away with the time after which to come again.
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
      family: one.ip === null ? null : (canonicalIp(one.ip)?.family ?? null),
      servers: new Servers(clock, settings),
    }));
    this.#process = new Bucket(clock, { connections: settings.connections.inAll });
  }

  /** Dialled addresses that cool down now, counted for each egress address. */
  cooling(): number {
    const now = this.clock.now();
    return this.#from.reduce((sum, { servers }) => sum + servers.cooling(now), 0);
  }

  /** Dialled addresses of which anything is kept, counted for each egress address. */
  get size(): number {
    return this.#from.reduce((sum, { servers }) => sum + servers.size, 0);
  }

  /**
   * Asks for one connection, from the egress address that is least used there. Waits for a place or its turn to start if the
   * request's deadline allows it.
   * @param onWait is told that it waits, and given what ends that
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

  /** The path from the egress address that is least used of those that may connect; or how long none may. */
  #choose(request: ConnectionRequest): Path | Exclude<LimitDecision, { readonly kind: 'go' }> {
    const { account, ip, provider, isOwn = false } = request;
    const now = this.clock.now();
    let best: { readonly path: Path; readonly waitMs: number } | null = null;
    for (const from of this.#from) {
      if (from.family !== null && from.family !== request.family) continue;
      const listed = provider === null ? null : from.servers.provider(provider);
      const path = new Path(from, from.servers.address(ip, now, isOwn), listed, this.#process);
      // What cannot start before it is given up is as good as at rest.
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

  /** Its bucket lets it begin: it does, or is queued at another that stops it. */
  #takeTurn(waiting: Waiting): void {
    const now = this.clock.now();
    const stopsAt = waiting.path.buckets.find((bucket) => !bucket.lets(waiting.account, now));
    if (stopsAt === undefined) waiting.settle({ kind: 'go', permit: new Permit(this, waiting.path, waiting.request) });
    else this.#queue(waiting, stopsAt);
  }

  /** Some server rests, or slows us down: those that need not wait any more are told, or take another path if there is one. */
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

/** When a connection may start that cannot start before it is given up; 0: it can. */
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
