import { keepLatest } from '../../../schema/keep-latest.ts';
import type { Seat } from '../ports/observer.ts';
import type { Clock } from '../ports/ports.ts';
import type { Account } from '../ports/ports.ts';
import type { LimitSettings } from '../ports/settings.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import { Semaphore, type SemaphoreOptions } from './semaphore.ts';
import type { RestCause } from '../meaning/complaint.ts';
import { CoolDown } from './cool-down.ts';
import { Refusals } from './refusals.ts';
import { UnknownRecipients } from './unknown-recipients.ts';

/** Dialled addresses remembered per egress address. */
export const ADDRESSES_MAX = 20_000;
const SWEEP_MS = 60_000;
/** This many of a provider's addresses in cool-down within this time start one for the whole provider. */
const RESTING_ADDRESSES = 3;
const RESTING_WITHIN_MS = 60_000;

/** A dialled address, or a listed provider, as seen from one egress address. */
export class Server {
  readonly seat: Seat;
  readonly semaphore: Semaphore;
  readonly coolDown = new CoolDown();
  readonly refusals = new Refusals();
  /** Not used for a listed provider's host: the provider counts there. */
  readonly unknown: UnknownRecipients;
  /** Connections in use that the server has accepted, when the latest one ended, and when a recipient was last judged. */
  accepted = 0;
  lastEndAt = -Infinity;
  servedAt = -Infinity;
  /** It has demanded TLS, and nothing shows that it no longer does. */
  wantsTls = false;
  /** When a provider's addresses started their latest cool-downs; only as many as needed. */
  #resting: Map<string, number> | null = null;

  constructor(clock: Clock, seat: Seat, options: SemaphoreOptions, invalidPerHour: number) {
    this.seat = seat;
    this.semaphore = new Semaphore(clock, options);
    this.unknown = new UnknownRecipients(invalidPerHour, clock);
  }

  /** Counts a cool-down of one of a provider's addresses. @returns whether the provider as a whole cools down now */
  countCoolDown(ip: string, cause: RestCause, now: number): boolean {
    this.#resting ??= new Map();
    keepLatest(this.#resting, ip, now, RESTING_ADDRESSES);
    const recent = [...this.#resting.values()].filter((at) => at + RESTING_WITHIN_MS >= now);
    return recent.length === RESTING_ADDRESSES && this.coolDown.begin(cause, now);
  }

  /** Until when it is in cool-down, for all or for this account; in the past if it is not. */
  restsUntil(account: Account): number {
    return Math.max(this.coolDown.until, this.refusals.restsUntil(account));
  }

  /** Whether it is used less, or was used less lately, than another. */
  isLessUsed({ semaphore: other }: Server): boolean {
    const { load, pace } = this.semaphore;
    return load === other.load ? (pace?.fullAt ?? 0) < (other.pace?.fullAt ?? 0) : load < other.load;
  }

  isForgettable(now: number): boolean {
    return (
      this.semaphore.isForgettable(now) &&
      this.coolDown.isForgettable(now) &&
      this.refusals.isForgettable(now) &&
      this.unknown.isForgettable
    );
  }
}

/** The listed providers and the bounded table of dialled addresses, for one egress address. No key is a chosen name. */
export class Servers {
  readonly #clock: Clock;
  readonly #settings: LimitSettings;
  readonly #seat: Seat;
  readonly #options: SemaphoreOptions;
  readonly #addresses = new Map<string, Server>();
  readonly #providers = new Map<string, Server>();
  #sweepAt = 0;

  /** @param egress the position of our address in the settings */
  constructor(clock: Clock, settings: LimitSettings, egress: number, makeRoom: (semaphore: Semaphore) => void) {
    this.#clock = clock;
    this.#settings = settings;
    this.#seat = { provider: null, egress };
    this.#options = {
      connections: settings.connections.perAddress,
      perMinute: settings.connectionsPerMinute,
      makeRoom,
    };
  }

  get size(): number {
    return this.#addresses.size;
  }

  cooling(now: number): number {
    let cooling = 0;
    for (const { coolDown, refusals } of this.#addresses.values())
      if (Math.max(coolDown.until, refusals.restUntil) > now) cooling += 1;
    return cooling;
  }

  /** An address's entry; not dropped while in use. @param isOwn the operator's own: unknown recipients have no limit */
  address(ip: string, now: number, isOwn: boolean): Server {
    const known = this.#addresses.get(ip);
    if (known !== undefined) return known;
    if (now >= this.#sweepAt) this.#sweep(now);
    if (this.#addresses.size >= ADDRESSES_MAX) this.#dropOldest();
    const invalidPerHour = isOwn ? Infinity : this.#settings.invalidPerHour;
    const made = new Server(this.#clock, this.#seat, this.#options, invalidPerHour);
    this.#addresses.set(ip, made);
    return made;
  }

  provider({ provider, connections }: ProviderLimits): Server {
    const known = this.#providers.get(provider);
    if (known !== undefined) return known;
    const options = { ...this.#options, connections };
    const made = new Server(this.#clock, { ...this.#seat, provider }, options, this.#settings.invalidPerHour);
    this.#providers.set(provider, made);
    return made;
  }

  #sweep(now: number): void {
    this.#sweepAt = now + SWEEP_MS;
    for (const [ip, address] of this.#addresses) if (address.isForgettable(now)) this.#addresses.delete(ip);
  }

  /** In use are at most as many as connections. */
  #dropOldest(): void {
    for (const [ip, { semaphore }] of this.#addresses)
      if (semaphore.load === 0) {
        this.#addresses.delete(ip);
        return;
      }
  }
}
