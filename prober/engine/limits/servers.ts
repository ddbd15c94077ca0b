import type { Clock } from '../ports/ports.ts';
import type { LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { Bucket, type Size } from './bucket.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import { Refusals } from './server/refusals.ts';
import { UnknownRecipients } from './server/unknown-recipients.ts';

/** Dialled addresses remembered per egress address. */
export const ADDRESSES_MAX = 20_000;
const SWEEP_MS = 60_000;
/** This many of a provider's addresses in cool-down within this time start one for the whole provider. */
const RESTING_ADDRESSES = 3;
const RESTING_WITHIN_MS = 60_000;

/** A dialled address, or a listed provider, as seen from one egress address. */
export class Server {
  readonly name: string;
  readonly bucket: Bucket;
  readonly refusals = new Refusals();
  /** Not used for a listed provider's host: the provider counts there. */
  readonly unknown: UnknownRecipients;
  /** Connections in use that the server has accepted. */
  accepted = 0;
  #lastEndAt = -Infinity;
  /** When a provider's addresses started their latest cool-downs; only as many as needed. */
  #resting: Map<string, number> | null = null;

  constructor(clock: Clock, name: string, size: Size, invalidPerHour: number) {
    this.name = name;
    this.bucket = new Bucket(clock, size);
    this.unknown = new UnknownRecipients(invalidPerHour);
  }

  /** A connection that the server had accepted has ended. */
  noteEnd(now: number): void {
    this.accepted -= 1;
    this.#lastEndAt = now;
  }

  /** Whether an accepted connection was open at some time since. */
  wasAccepting(since: number): boolean {
    return this.accepted > 0 || this.#lastEndAt > since;
  }

  /** Counts a cool-down of one of a provider's addresses. @returns whether the provider as a whole cools down now */
  countCoolDown(ip: string, cause: CoolDownCause, now: number): boolean {
    this.#resting ??= new Map();
    for (const [other, at] of this.#resting) if (at + RESTING_WITHIN_MS < now) this.#resting.delete(other);
    this.#resting.set(ip, now);
    if (this.#resting.size < RESTING_ADDRESSES) return false;
    this.#resting.clear();
    return this.bucket.coolDown.begin(cause, now);
  }

  isForgettable(now: number): boolean {
    return this.bucket.isForgettable(now) && this.refusals.isForgettable(now) && this.unknown.isForgettable(now);
  }
}

/**
 * The listed providers, and the bounded table of dialled addresses, for one egress address. No key is a name that a
 * stranger can choose.
 */
export class Servers {
  readonly #clock: Clock;
  readonly #settings: LimitSettings;
  readonly #addresses = new Map<string, Server>();
  readonly #providers = new Map<string, Server>();
  #sweepAt = 0;

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get size(): number {
    return this.#addresses.size;
  }

  /** How many addresses are in cool-down for everyone. */
  cooling(now: number): number {
    return [...this.#addresses.values()].filter(({ bucket }) => bucket.coolDown.until > now).length;
  }

  /**
   * The entry of an address, created if missing. It is not dropped while in use.
   * @param isOwn the address is the operator's own, where unknown recipients have no limit
   */
  address(ip: string, now: number, isOwn: boolean): Server {
    const known = this.#addresses.get(ip);
    if (known !== undefined) return known;
    if (this.#addresses.size >= ADDRESSES_MAX || now >= this.#sweepAt) this.#sweep(now);
    const made = this.#make(ip, this.#settings.connections.perAddress, isOwn ? Infinity : undefined);
    this.#addresses.set(ip, made);
    return made;
  }

  provider({ provider, connections }: ProviderLimits): Server {
    const made = this.#providers.get(provider) ?? this.#make(provider, connections);
    this.#providers.set(provider, made);
    return made;
  }

  #make(name: string, connections: number, invalidPerHour = this.#settings.invalidPerHour): Server {
    return new Server(
      this.#clock,
      name,
      { connections, perMinute: this.#settings.connectionsPerMinute },
      invalidPerHour,
    );
  }

  /**
   * Drops idle entries; if too many are left, the oldest half of those not in use. In use are at most as many as
   * connections.
   */
  #sweep(now: number): void {
    for (const [ip, address] of this.#addresses) if (address.isForgettable(now)) this.#addresses.delete(ip);
    let tooMany = this.#addresses.size < ADDRESSES_MAX ? 0 : this.#addresses.size - ADDRESSES_MAX / 2;
    for (const [ip, { bucket }] of this.#addresses) {
      if (tooMany <= 0) break;
      if (!bucket.isUnused) continue;
      this.#addresses.delete(ip);
      tooMany -= 1;
    }
    this.#sweepAt = now + SWEEP_MS;
  }
}
