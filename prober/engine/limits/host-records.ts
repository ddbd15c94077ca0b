import type { Account } from '../ports/ports.ts';
import type { LimitSettings } from '../ports/settings.ts';
import { InvalidRecipients } from './server/invalid-recipients.ts';
import { OwnConnections } from './server/own-connections.ts';
import { RateLimit } from './server/rate-limit.ts';
import { RefusalStreak } from './server/refusal-streak.ts';
import { ScopeLimit } from './scope-limit.ts';

/** Host records kept, for all egress addresses together. */
export const HOST_RECORDS_MAX = 20_000;
/** Accounts for which one address may cool down alone. */
export const ACCOUNT_COOL_DOWNS_MAX = 32;
/** Idle records are dropped when there are twice as many as the last sweep left, or a minute later. */
const SWEEP_MIN = 1_024;
const SWEEP_MS = 60_000;

/** The host record: one dialled address as one egress address sees it. */
export type HostRecord<Group> = {
  /** The per-IP limit. */
  readonly limit: ScopeLimit<Group>;
  readonly connections: OwnConnections;
  readonly refusals: RefusalStreak<Account>;
  /** Counts for every host but a listed provider's own, which the provider counts. */
  readonly invalid: InvalidRecipients;
  /** Cool-downs of single accounts: no other account waits for them. */
  readonly accountCoolDowns: Map<Account, ScopeLimit<Group>>;
  /** Waiting connections, by account and provider. */
  readonly groups: Map<string, Group>;
  /** How many connections wait. */
  waiting: number;
};

/** The bounded store of host records. */
export class HostRecords<Group> {
  readonly #records = new Map<string, HostRecord<Group>>();
  readonly #perAddress: number;
  readonly #perMinute: number;
  readonly #invalidPerHour: number;
  #sweepSize = SWEEP_MIN;
  #sweepAt = 0;

  constructor({ connections, connectionsPerMinute, invalidPerHour }: LimitSettings) {
    this.#perAddress = connections.perAddress;
    this.#perMinute = connectionsPerMinute;
    this.#invalidPerHour = invalidPerHour;
  }

  get size(): number {
    return this.#records.size;
  }

  /** What is known of an address; undefined: nothing, so none of its limits is exhausted. */
  peek(egress: number, ip: string): HostRecord<Group> | undefined {
    return this.#records.get(keyOf(egress, ip));
  }

  /**
   * The record of an address, made if there is none. It is not dropped while it is in use.
   * @param isOwn the address is the operator's own, where unknown recipients have no limit
   */
  get(egress: number, ip: string, now: number, isOwn = false): HostRecord<Group> {
    const key = keyOf(egress, ip);
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    if (this.#records.size >= this.#sweepSize || now >= this.#sweepAt) this.#sweep(now);
    const record = this.#make(isOwn);
    this.#records.set(key, record);
    return record;
  }

  /** The addresses that cool down for everybody. */
  cooling(now: number): number {
    let count = 0;
    for (const { limit } of this.#records.values()) if (limit.coolDown.until > now) count += 1;
    return count;
  }

  #make(isOwn: boolean): HostRecord<Group> {
    return {
      limit: new ScopeLimit({
        resource: 'connections to an address',
        connections: this.#perAddress,
        places: 'lent',
        rate: new RateLimit(this.#perMinute),
      }),
      connections: new OwnConnections(),
      refusals: new RefusalStreak(),
      invalid: new InvalidRecipients(isOwn ? Infinity : this.#invalidPerHour),
      accountCoolDowns: new Map(),
      groups: new Map(),
      waiting: 0,
    };
  }

  /**
   * Drops idle records; if too many are left, the oldest half of those not in use. Records in use are at most as many as
   * there are connections and waiters.
   */
  #sweep(now: number): void {
    for (const [key, record] of this.#records) if (isForgettable(record, now)) this.#records.delete(key);
    let tooMany = this.#records.size < HOST_RECORDS_MAX ? 0 : this.#records.size - HOST_RECORDS_MAX / 2;
    for (const [key, record] of this.#records) {
      if (tooMany <= 0) break;
      if (!isUnused(record)) continue;
      this.#records.delete(key);
      tooMany -= 1;
    }
    this.#sweepSize = Math.min(HOST_RECORDS_MAX, Math.max(SWEEP_MIN, this.#records.size * 2));
    this.#sweepAt = now + SWEEP_MS;
  }
}

/** The limit that cools down for one account at a host, made if there is none; of too many, the oldest that is not in use goes. */
export function accountLimitOf<Group>({ accountCoolDowns }: HostRecord<Group>, account: Account): ScopeLimit<Group> {
  const known = accountCoolDowns.get(account);
  if (known !== undefined) return known;
  if (accountCoolDowns.size >= ACCOUNT_COOL_DOWNS_MAX) {
    const [oldest] = [...accountCoolDowns].find(([, limit]) => limit.isUnused) ?? [];
    if (oldest !== undefined) accountCoolDowns.delete(oldest);
  }
  const limit = new ScopeLimit<Group>({
    resource: 'connections to an address',
    connections: Infinity,
    places: 'lent',
  });
  accountCoolDowns.set(account, limit);
  return limit;
}

function isUnused<Group>({ limit, accountCoolDowns }: HostRecord<Group>): boolean {
  return limit.isUnused && [...accountCoolDowns.values()].every((one) => one.isUnused);
}

function isForgettable<Group>({ limit, refusals, invalid, accountCoolDowns }: HostRecord<Group>, now: number): boolean {
  return (
    limit.isForgettable(now) &&
    refusals.isForgettable(now) &&
    invalid.isForgettable(now) &&
    [...accountCoolDowns.values()].every((one) => one.isForgettable(now))
  );
}

function keyOf(egress: number, ip: string): string {
  return `${egress} ${ip}`;
}
