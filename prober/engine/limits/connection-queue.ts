import type { Account, Clock } from '../ports/ports.ts';
import type { Ticket } from './shares/account-turns.ts';
import type { ScopeLimit } from './scope-limit.ts';

/** Waiting connections of one account that have to pass the same limits: what stops the first stops all. */
export class WaitingGroup<Waiter> {
  readonly account: Account;
  /** From the broadest, which every connection has to pass, to the narrowest. */
  readonly limits: ScopeLimit<WaitingGroup<Waiter>>[] = [];
  readonly waiters = new Set<Waiter>();
  /** The limit at which it is queued. */
  queuedAt: {
    readonly limit: ScopeLimit<WaitingGroup<Waiter>>;
    readonly ticket: Ticket<Account, WaitingGroup<Waiter>>;
  } | null = null;

  constructor({ account }: { readonly account: Account }, limits: readonly ScopeLimit<WaitingGroup<Waiter>>[]) {
    this.account = account;
    for (const limit of limits) this.mustPass(limit);
  }

  mustPass(limit: ScopeLimit<WaitingGroup<Waiter>>): void {
    if (this.limits.includes(limit)) return;
    this.limits.push(limit);
    limit.groups += 1;
  }
}

/**
 * The queue of waiting connections. A connection acquires all its limits at once, so none holds one limit while it waits
 * for another, and nothing can deadlock. A waiting connection queues at the broadest exhausted limit; accounts take turns
 * there.
 *
 * A limit that opens lets groups pass in turn, and moves those that another limit stops to that limit's queue: to the broadest,
 * of one account, no more than it has connections free. So the cost of a connection that ends depends on how many accounts
 * wait, not on how many connections or addresses.
 */
export class ConnectionQueue<Waiter> {
  readonly #clock: Clock;
  readonly #admit: (group: WaitingGroup<Waiter>, waiter: Waiter) => void;
  readonly #onEmpty: (group: WaitingGroup<Waiter>) => void;

  /**
   * @param admit acquires the limits for a waiter
   * @param onEmpty the group has no waiter left
   */
  constructor(
    clock: Clock,
    admit: (group: WaitingGroup<Waiter>, waiter: Waiter) => void,
    onEmpty: (group: WaitingGroup<Waiter>) => void,
  ) {
    this.#clock = clock;
    this.#admit = admit;
    this.#onEmpty = onEmpty;
  }

  /** Queues a waiter behind the others of its group. */
  add(group: WaitingGroup<Waiter>, waiter: Waiter): void {
    group.waiters.add(waiter);
    if (group.queuedAt !== null) return;
    const now = this.#clock.now();
    const exhausted = broadestExhausted(group, now);
    this.#enqueue(group, exhausted ?? group.limits[0], now);
    if (exhausted === undefined) this.serve(group.limits);
  }

  remove(group: WaitingGroup<Waiter>, waiter: Waiter): void {
    if (!group.waiters.delete(waiter) || group.waiters.size > 0) return;
    this.#disband(group);
    this.serve(group.limits);
  }

  /** Admits what these limits allow, after any of them may have opened. */
  serve(limits: Iterable<ScopeLimit<WaitingGroup<Waiter>>>): void {
    const due = new Set(limits);
    for (const limit of due) {
      due.delete(limit);
      this.#serveAt(limit, due);
    }
  }

  #serveAt(limit: ScopeLimit<WaitingGroup<Waiter>>, due: Set<ScopeLimit<WaitingGroup<Waiter>>>): void {
    const now = this.#clock.now();
    const movedOn = new Map<string, { readonly group: WaitingGroup<Waiter>; count: number }>();
    for (let group = limit.next(now); group !== null && limit.opensAt(group, now) <= now; group = limit.next(now)) {
      this.#dequeue(group);
      const exhausted = broadestExhausted(group, now);
      if (exhausted === undefined) {
        this.#admitFirst(group, limit, now);
        continue;
      }
      this.#enqueue(group, exhausted, now);
      // Others of its account may have waited behind it at limits that are open.
      for (const other of group.limits) if (other !== limit && other !== exhausted && other.isWaitedFor) due.add(other);
      // A group that a narrower limit stops leaves its turn here to others.
      if (group.limits.indexOf(exhausted) > group.limits.indexOf(limit)) continue;
      // A limit that not every connection has to pass says nothing of the account's other groups.
      if (exhausted !== group.limits[0]) continue;
      const key = `${group.account}`;
      const moved = movedOn.get(key) ?? { group, count: 0 };
      moved.count += 1;
      movedOn.set(key, moved);
      if (moved.count >= limit.free(now)) limit.share.skip(group.account);
    }
    for (const { group } of movedOn.values()) limit.share.resume(group.account);
    this.#attend(limit, now);
  }

  /** Admits one; the others of its group queue behind those of other accounts. */
  #admitFirst(group: WaitingGroup<Waiter>, limit: ScopeLimit<WaitingGroup<Waiter>>, now: number): void {
    const [waiter] = group.waiters;
    if (waiter !== undefined) {
      group.waiters.delete(waiter);
      this.#admit(group, waiter);
    }
    if (group.waiters.size > 0) this.#enqueue(group, limit, now);
    else this.#disband(group);
  }

  /** @param now when the limit was found exhausted: if it has opened since, its timer looks again */
  #enqueue(group: WaitingGroup<Waiter>, limit: ScopeLimit<WaitingGroup<Waiter>> | undefined, now: number): void {
    if (limit === undefined) return;
    group.queuedAt = { limit, ticket: limit.share.enqueue(group.account, group) };
    this.#attend(limit, now);
  }

  #dequeue(group: WaitingGroup<Waiter>): void {
    if (group.queuedAt === null) return;
    const { limit, ticket } = group.queuedAt;
    group.queuedAt = null;
    limit.share.dequeue(ticket);
  }

  #disband(group: WaitingGroup<Waiter>): void {
    const limit = group.queuedAt?.limit;
    this.#dequeue(group);
    if (limit !== undefined) this.#attend(limit, this.#clock.now());
    for (const one of group.limits) one.groups -= 1;
    this.#onEmpty(group);
  }

  #attend(limit: ScopeLimit<WaitingGroup<Waiter>>, now: number): void {
    limit.attend(
      now,
      (delayMs, run) => this.#clock.after(delayMs, run),
      () => this.serve([limit]),
    );
  }
}

/** The broadest limit that lets no connection pass now. */
function broadestExhausted<Waiter>(
  group: WaitingGroup<Waiter>,
  now: number,
): ScopeLimit<WaitingGroup<Waiter>> | undefined {
  return group.limits.find((limit) => limit.opensAt(group, now) > now);
}
