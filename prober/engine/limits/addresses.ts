import type { Clock } from '../ports/ports.ts';
import type { LimitSettings } from '../ports/settings.ts';
import { Bucket } from './bucket.ts';
import { Refusals } from './server/refusals.ts';
import { UnknownRecipients } from './server/unknown-recipients.ts';

/** Dialled addresses kept, for one egress address. */
export const ADDRESSES_MAX = 20_000;
/** Idle ones are dropped when there are twice as many as the last sweep left, or a minute later. */
const SWEEP_MIN = 1_024;
const SWEEP_MS = 60_000;

/** One dialled address as one egress address sees it. */
export class Address {
  readonly ip: string;
  readonly bucket: Bucket;
  readonly refusals = new Refusals();
  /** Not counted for a listed provider's host, which the provider counts. */
  readonly unknown: UnknownRecipients;
  /** Connections in use that the server has accepted. */
  accepted = 0;
  #lastEndAt = -Infinity;

  constructor(clock: Clock, ip: string, settings: LimitSettings, isOwn: boolean) {
    const { connections, connectionsPerMinute, invalidPerHour } = settings;
    this.ip = ip;
    this.bucket = new Bucket(clock, { connections: connections.perAddress, perMinute: connectionsPerMinute });
    this.unknown = new UnknownRecipients(isOwn ? Infinity : invalidPerHour);
  }

  /** A connection that the server had accepted has ended. */
  noteEnd(now: number): void {
    this.accepted -= 1;
    this.#lastEndAt = now;
  }

  /** Whether one that it had accepted was there at some time since. */
  wasAccepting(since: number): boolean {
    return this.accepted > 0 || this.#lastEndAt > since;
  }

  isForgettable(now: number): boolean {
    return this.bucket.isForgettable(now) && this.refusals.isForgettable(now) && this.unknown.isForgettable(now);
  }
}

/** The bounded table of dialled addresses, for one egress address. No name that a stranger can choose is a key. */
export class Addresses {
  readonly #clock: Clock;
  readonly #settings: LimitSettings;
  readonly #addresses = new Map<string, Address>();
  #sweepSize = SWEEP_MIN;
  #sweepAt = 0;

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get size(): number {
    return this.#addresses.size;
  }

  /** How many rest for everybody. */
  cooling(now: number): number {
    return [...this.#addresses.values()].filter(({ bucket }) => bucket.coolDown.until > now).length;
  }

  /**
   * Of an address, made if there is none. It is not dropped while it is in use.
   * @param isOwn the address is the operator's own, where unknown recipients have no limit
   */
  get(ip: string, now: number, isOwn: boolean): Address {
    const known = this.#addresses.get(ip);
    if (known !== undefined) return known;
    if (this.#addresses.size >= this.#sweepSize || now >= this.#sweepAt) this.#sweep(now);
    const made = new Address(this.#clock, ip, this.#settings, isOwn);
    this.#addresses.set(ip, made);
    return made;
  }

  /** Drops idle ones; if too many are left, the oldest half of those not in use, of which there are as many as connections. */
  #sweep(now: number): void {
    for (const [ip, address] of this.#addresses) if (address.isForgettable(now)) this.#addresses.delete(ip);
    let tooMany = this.#addresses.size < ADDRESSES_MAX ? 0 : this.#addresses.size - ADDRESSES_MAX / 2;
    for (const [ip, { bucket }] of this.#addresses) {
      if (tooMany <= 0) break;
      if (!bucket.isUnused) continue;
      this.#addresses.delete(ip);
      tooMany -= 1;
    }
    this.#sweepSize = Math.min(ADDRESSES_MAX, Math.max(SWEEP_MIN, this.#addresses.size * 2));
    this.#sweepAt = now + SWEEP_MS;
  }
}
