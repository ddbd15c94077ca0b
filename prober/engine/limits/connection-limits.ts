import type { EngineObserver } from '../ports/observer.ts';
import type { Clock } from '../ports/ports.ts';
import type { Egress, LimitSettings } from '../ports/settings.ts';
import { canonicalIp, type Family } from '../targets/routable.ts';
import { ConnectionQueue, WaitingGroup } from './connection-queue.ts';
import type { ConnectionRequest, LimitDecision, RecipientAllowance, SessionResult } from './connection-request.ts';
import { chooseEgress, type EgressChoice, type EgressState } from './egress-choice.ts';
import { groupKey, isCooling, type LimitPath, LimitPaths } from './limit-paths.ts';
import { SessionResults } from './session-results.ts';
import { Tenure } from './shares/tenure.ts';

type Waiter = {
  readonly request: ConnectionRequest;
  readonly settle: (decision: LimitDecision) => void;
  group: Group | null;
};
type Group = WaitingGroup<Waiter>;
type Path = LimitPath<Waiter>;

/**
 * How fast this host connects to others: every connection passes here. This class holds the state and the queue; the
 * policy is in `egress-choice.ts` (from which address), `scope-limit.ts` (when), `shares/` (whose turn it is), `server/` (what a server bears) and
 * `session-results.ts` (what cools down).
 */
export class ConnectionLimits {
  readonly #clock: Clock;
  readonly #observer: EngineObserver | null;
  readonly #egress: readonly { readonly egress: Egress; readonly family: Family | null }[];
  readonly #paths: LimitPaths<Waiter>;
  /** The path of each group in which a connection waits. */
  readonly #pathOf = new Map<Group, Path>();
  readonly #queue: ConnectionQueue<Waiter>;
  readonly #results: SessionResults<Waiter>;

  constructor(
    clock: Clock,
    egress: readonly Egress[],
    settings: LimitSettings,
    observer: EngineObserver | null = null,
  ) {
    this.#clock = clock;
    this.#observer = observer;
    this.#egress = egress.map((one) => ({
      egress: one,
      family: one.ip === null ? null : (canonicalIp(one.ip)?.family ?? null),
    }));
    this.#paths = new LimitPaths(settings);
    this.#queue = new ConnectionQueue(
      clock,
      (group, waiter) => this.#admitWaiter(group, waiter),
      (group) => this.#forgetGroup(group),
    );
    this.#results = new SessionResults(observer, (groups) => this.#reconsider(groups));
  }

  /** Dialled addresses that cool down now, counted for each egress address. */
  cooling(): number {
    return this.#paths.cooling(this.#clock.now());
  }

  /** What is kept: dialled addresses and networks. */
  get size(): { readonly addresses: number; readonly networks: number } {
    return this.#paths.size;
  }

  /**
   * Asks for one connection, from the egress address that is least used there. Waits if it must and the request's deadline
   * allows it; accounts take turns.
   * @param onWait is told that it waits, and given what ends that
   */
  acquire(request: ConnectionRequest, onWait?: (giveUp: () => void) => void): LimitDecision | Promise<LimitDecision> {
    if (request.signal.aborted) return { kind: 'ended' };
    const now = this.#clock.now();
    const choice = this.#choose(request);
    if (choice.kind !== 'from') return this.#refuse(choice, request);
    const path = this.#paths.path(choice.number, request, now);
    if (path.limits.every((limit) => limit.opensAt(request, now) <= now && limit.next(now) === null))
      return this.#admit(path, request);
    return new Promise((resolve) => {
      const settle = (decision: LimitDecision): void => {
        request.signal.removeEventListener('abort', giveUp);
        resolve(decision);
      };
      const waiter: Waiter = { request, settle, group: null };
      const giveUp = (): void => {
        this.#dequeue(waiter);
        settle({ kind: 'ended' });
      };
      request.signal.addEventListener('abort', giveUp, { once: true });
      onWait?.(giveUp);
      this.#enqueue(path, waiter);
    });
  }

  /** @param turn how many connections of its group come before it; absent: all that wait */
  #choose(request: ConnectionRequest, turn?: number): EgressChoice {
    const now = this.#clock.now();
    const states: EgressState[] = [];
    for (const [number, { egress, family }] of this.#egress.entries()) {
      if (family !== null && family !== request.family) continue;
      const restsUntil = request.restsUntil?.(egress.ip, request.host) ?? 0;
      states.push(this.#paths.stateOf(number, request, { now, restsUntil, turn }));
    }
    return chooseEgress(states, now, request.deadlineMs);
  }

  #refuse(choice: Exclude<EgressChoice, { kind: 'from' }>, { host }: ConnectionRequest): LimitDecision {
    switch (choice.kind) {
      case 'none':
        return { kind: 'no_egress' };
      case 'put_off':
        this.#observer?.invalidLimitReached({ provider: this.#paths.providerNameOf(host), egress: choice.number });
        return { kind: 'cooling', waitS: Math.ceil(choice.waitMs / 1000) };
      case 'cooling':
        return { kind: 'cooling', waitS: Math.ceil(choice.waitMs / 1000) };
    }
  }

  /** Acquires every limit of the path. @param limits those of the waiting group, which may have become more */
  #admit(path: Path, request: ConnectionRequest, limits: Path['limits'] = path.limits): LimitDecision {
    const egress = this.#egress[path.from]?.egress;
    if (egress === undefined) return { kind: 'no_egress' };
    const { account } = request;
    const { refusals, connections, limit: perIp } = path.record;
    const now = (): number => this.#clock.now();
    const dialledAt = now();
    const tenure = new Tenure(request, request.helps === true, dialledAt);
    for (const limit of limits) limit.acquire(tenure, dialledAt);
    const connection = connections.dial(dialledAt);
    const since = refusals.current;
    let released = false;
    const release = (result: SessionResult): void => {
      if (released) return;
      released = true;
      // What outlives it in the tables of a set until the next full collection of garbage keeps no socket.
      tenure.holds(null);
      connections.end(connection, now());
      for (const limit of limits) limit.release(tenure);
      this.#results.record(path, { ...request, result, since }, now());
      // Mostly nobody waits.
      if (limits.some(({ groups }) => groups > 0)) this.#queue.serve(limits);
      this.#paths.forgetNetwork(path.network);
    };
    return {
      kind: 'go',
      egress,
      allowance: this.#allowance(path, request),
      streak: () => refusals.current,
      report: (domain, result, streak) =>
        this.#results.record(path, { ...request, domain, result, since: streak }, now()),
      isCooling: () => isCooling(path, account, now()),
      isWanted: () => limits.some((limit) => limit.isShort(now())),
      isWantedByOther: () => limits.some((limit) => limit.isShortForOther(tenure, now())),
      isDue: () => tenure.isRecalled || limits.some((limit) => limit.isDue(tenure, now())),
      holds: (recallable) => {
        const wasIdle = tenure.isIdle;
        tenure.holds(recallable);
        if (wasIdle || tenure.isIdle) for (const limit of limits) limit.recalls.note(tenure);
      },
      accepted: () => {
        connections.accept(connection);
        perIp.rate?.accept(now());
      },
      deferred: (at) => {
        const isOfOurs = perIp.rate?.defer(at, now()) ?? false;
        // Fewer start from now on: a connection that would come too late need not wait.
        if (isOfOurs) this.#reconsider(path.record.groups.values());
        return isOfOurs;
      },
      rejected: async (hasOwnCause) => {
        const bears = await connections.reject(connection, hasOwnCause, request.signal);
        if (bears !== null) perIp.concurrency.lower(bears, now());
        return bears;
      },
      release,
    };
  }

  #allowance({ from, record, provider }: Path, asker: ConnectionRequest): RecipientAllowance {
    const invalid = provider?.invalid ?? record.invalid;
    return {
      left: () => invalid.left(asker, this.#clock.now()),
      count: () => invalid.count(asker, this.#clock.now()),
      uncount: () => invalid.uncount(asker),
      refuse: () => {
        this.#observer?.invalidLimitReached({ provider: provider?.name ?? null, egress: from });
        return Math.ceil(invalid.waitMs(asker, this.#clock.now()) / 1000);
      },
    };
  }

  /** A cool-down has begun: a connection that cannot wait for its end is told at once, or takes another path if there is one. */
  #reconsider(groups: Iterable<Group>): void {
    for (const group of groups) {
      const from = this.#pathOf.get(group)?.from;
      let turn = 0;
      for (const waiter of group.waiters) {
        const choice = this.#choose(waiter.request, turn);
        if (choice.kind === 'from' && choice.number === from) {
          turn += 1;
          continue;
        }
        this.#dequeue(waiter);
        if (choice.kind !== 'from') waiter.settle(this.#refuse(choice, waiter.request));
        else this.#enqueue(this.#paths.path(choice.number, waiter.request, this.#clock.now()), waiter);
      }
    }
  }

  #enqueue(path: Path, waiter: Waiter): void {
    const key = groupKey(waiter.request, path.provider?.name ?? null);
    let group = path.record.groups.get(key);
    if (group === undefined) {
      group = new WaitingGroup<Waiter>(waiter.request, path.limits);
      path.record.groups.set(key, group);
      path.provider?.groups.add(group);
      this.#pathOf.set(group, path);
    }
    waiter.group = group;
    path.record.waiting += 1;
    this.#queue.add(group, waiter);
  }

  #dequeue(waiter: Waiter): void {
    const { group } = waiter;
    if (group === null) return;
    this.#countOut(group, waiter);
    this.#queue.remove(group, waiter);
  }

  #admitWaiter(group: Group, waiter: Waiter): void {
    const path = this.#countOut(group, waiter);
    if (path !== undefined) waiter.settle(this.#admit(path, waiter.request, [...group.limits]));
  }

  /** It waits no more. */
  #countOut(group: Group, waiter: Waiter): Path | undefined {
    waiter.group = null;
    const path = this.#pathOf.get(group);
    if (path !== undefined) path.record.waiting -= 1;
    return path;
  }

  #forgetGroup(group: Group): void {
    const path = this.#pathOf.get(group);
    if (path === undefined) return;
    this.#pathOf.delete(group);
    path.record.groups.delete(groupKey(group, path.provider?.name ?? null));
    path.provider?.groups.delete(group);
    this.#paths.forgetNetwork(path.network);
  }
}
