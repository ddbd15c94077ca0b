import { INVALID_PER_HOUR, type ProviderLimits } from '../providers/provider-limits.ts';
import type { Clock } from '../ports/ports.ts';
import { Bucket } from './bucket.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import { UnknownRecipients } from './server/unknown-recipients.ts';

/** This many of a provider's addresses that cool down within this time make all of it cool down. */
const ADDRESSES = 3;
const WITHIN_MS = 60_000;

/** A listed provider as one egress address sees it. */
export class ProviderRecord {
  readonly name: string;
  readonly bucket: Bucket;
  readonly unknown: UnknownRecipients;
  /** When its addresses began their latest cool-downs; no more are kept than are needed. */
  readonly #coolDowns = new Map<string, number>();

  constructor(clock: Clock, listed: ProviderLimits) {
    const { provider, connections, connectionsPerMinute, invalidPerHour } = listed;
    this.unknown = new UnknownRecipients(invalidPerHour ?? INVALID_PER_HOUR);
    this.name = provider;
    this.bucket = new Bucket(clock, { connections, perMinute: connectionsPerMinute });
  }

  /** Counts a cool-down of one of its addresses. @returns whether the provider as a whole cools down now */
  countCoolDown(ip: string, cause: CoolDownCause, now: number): boolean {
    for (const [other, at] of this.#coolDowns) if (at + WITHIN_MS < now) this.#coolDowns.delete(other);
    this.#coolDowns.set(ip, now);
    if (this.#coolDowns.size < ADDRESSES) return false;
    this.#coolDowns.clear();
    return this.bucket.coolDown.begin(cause, now);
  }
}
