import type { Account } from '../ports/ports.ts';
import type { LimitSettings } from '../ports/settings.ts';
import { providerOf } from '../providers/provider.ts';
import type { WaitingGroup } from './connection-queue.ts';
import type { ConnectionRequest } from './connection-request.ts';
import type { EgressState } from './egress-choice.ts';
import { type HostRecord, HostRecords } from './host-records.ts';
import { networkOf } from '../targets/network.ts';
import { ProviderRecord } from './provider-record.ts';
import { ScopeLimit } from './scope-limit.ts';

/** All that a connection has to pass from one egress address to one dialled address, and where its result is kept. */
export type LimitPath<Waiter> = {
  /** The egress address by its place in EGRESS. */
  readonly from: number;
  /** From the broadest to the narrowest: process, provider, network, dialled address, account at that address. */
  readonly limits: readonly ScopeLimit<WaitingGroup<Waiter>>[];
  readonly record: HostRecord<WaitingGroup<Waiter>>;
  readonly provider: ProviderRecord<WaitingGroup<Waiter>> | null;
  /** The key of its network. */
  readonly network: string;
};

type To = Pick<ConnectionRequest, 'account' | 'host' | 'ip' | 'family' | 'isOwn'>;

/**
 * The limits by scope. What is kept and by which key (SECURITY.md has the bounds), each for one egress address: a dialled
 * address; its network; a listed provider; and of an account what its own domains caused at a dialled address. No name
 * that a customer or a DNS owner can choose is a key.
 */
export class LimitPaths<Waiter> {
  readonly #settings: LimitSettings;
  readonly #process: ScopeLimit<WaitingGroup<Waiter>>;
  readonly #networks = new Map<string, ScopeLimit<WaitingGroup<Waiter>>>();
  readonly #providers = new Map<string, ProviderRecord<WaitingGroup<Waiter>>>();
  readonly #records: HostRecords<WaitingGroup<Waiter>>;

  constructor(settings: LimitSettings) {
    this.#settings = settings;
    this.#process = new ScopeLimit({
      resource: 'connections',
      connections: settings.connections.inAll,
      places: 'kept',
    });
    this.#records = new HostRecords(settings);
  }

  get size(): { readonly addresses: number; readonly networks: number } {
    return { addresses: this.#records.size, networks: this.#networks.size };
  }

  /** Dialled addresses that cool down for everybody, counted for each egress address. */
  cooling(now: number): number {
    return this.#records.cooling(now);
  }

  /** The listed provider of an MX host, null if it has none. */
  providerNameOf(host: string): string | null {
    return providerOf(host, this.#settings.providers)?.provider ?? null;
  }

  /**
   * What the limits say of a connection; nothing is made or changed.
   * @param restsUntil when this host leaves the mail host to others
   * @param turn how many connections of its group come before it; undefined: all that wait
   */
  stateOf(
    from: number,
    { account, host, ip }: To,
    { now, restsUntil, turn }: { readonly now: number; readonly restsUntil: number; readonly turn: number | undefined },
  ): EgressState {
    const record = this.#records.peek(from, ip);
    const name = this.providerNameOf(host);
    const rate = record?.limit.rate ?? null;
    const before = turn ?? record?.groups.get(groupKey({ account }, name))?.waiters.size ?? 0;
    const provider = name === null ? undefined : this.#providers.get(`${from} ${name}`);
    return {
      number: from,
      putOffMs: (provider?.invalid ?? record?.invalid)?.waitMs({ account }, now) ?? 0,
      coolingUntil: Math.max(
        restsUntil,
        record?.limit.coolDown.until ?? 0,
        record?.accountCoolDowns.get(account)?.coolDown.until ?? 0,
        provider?.limit.coolDown.until ?? 0,
        // A server that has had enough of us is as good as at rest until a connection may start.
        rate?.isReduced(now) === true ? rate.reachedAt(before, now) : 0,
      ),
      connections: (record?.limit.share.held ?? 0) + (record?.waiting ?? 0),
      rateFullAt: record?.limit.rate?.fullAt ?? 0,
    };
  }

  /** The path of a connection; its limits are made if there are none. */
  path(from: number, { account, host, ip, family, isOwn }: To, now: number): LimitPath<Waiter> {
    const record = this.#records.get(from, ip, now, isOwn === true);
    const provider = this.#provider(from, host);
    const network = `${from} ${networkOf(ip, family)}`;
    const own = record.accountCoolDowns.get(account);
    const limits = [
      this.#process,
      ...(provider === null ? [] : [provider.limit]),
      this.#network(network),
      record.limit,
      ...(own === undefined ? [] : [own]),
    ];
    return { from, limits, record, provider, network };
  }

  /** Drops a network that no connection holds or waits for. */
  forgetNetwork(key: string): void {
    if (this.#networks.get(key)?.isUnused === true) this.#networks.delete(key);
  }

  #provider(from: number, host: string): ProviderRecord<WaitingGroup<Waiter>> | null {
    const listed = providerOf(host, this.#settings.providers);
    if (listed === null) return null;
    const key = `${from} ${listed.provider}`;
    const provider = this.#providers.get(key) ?? new ProviderRecord(listed);
    this.#providers.set(key, provider);
    return provider;
  }

  #network(key: string): ScopeLimit<WaitingGroup<Waiter>> {
    const limit = this.#networks.get(key) ?? this.#makeNetwork();
    this.#networks.set(key, limit);
    return limit;
  }

  #makeNetwork(): ScopeLimit<WaitingGroup<Waiter>> {
    const { perNetwork } = this.#settings.connections;
    return new ScopeLimit({ resource: 'connections to a network', connections: perNetwork, places: 'lent' });
  }
}

/** Of the connections that have to pass the same limits. */
export function groupKey({ account }: Pick<To, 'account'>, provider: string | null): string {
  return `${account} ${provider ?? ''}`;
}

/** Whether the address cools down on this path, for everybody or for the account. */
export function isCooling<Waiter>({ record, provider }: LimitPath<Waiter>, account: Account, now: number): boolean {
  return [record.limit, provider?.limit, record.accountCoolDowns.get(account)].some(
    (limit) => limit !== undefined && limit.coolDown.until > now,
  );
}
