import { INVALID_PER_HOUR, type ProviderPace } from '../providers/provider-paces.ts';
import type { Grievance } from './cool-down.ts';
import { Height } from './scope-limit.ts';
import { InvalidRecipients } from './invalid-recipients.ts';
import { Spacing } from './rate-limit.ts';

/** Addresses of a provider that have to send us away, in so short a time, for all of it to rest. */
const ADDRESSES = 3;
const WITHIN_MS = 60_000;

/** A listed provider as one egress address sees it. */
export class Provider<Line> {
  readonly name: string;
  readonly height: Height<Line>;
  readonly invalid: InvalidRecipients;
  /** Those who wait, whichever of its addresses they want. */
  readonly lines = new Set<Line>();
  /** When its addresses began their latest rests; no more of them are kept than are needed. */
  readonly #rested = new Map<string, number>();

  constructor({ provider, connections, connectionsPerMinute, invalidPerHour }: ProviderPace) {
    this.invalid = new InvalidRecipients(invalidPerHour ?? INVALID_PER_HOUR);
    this.name = provider;
    this.height = new Height(connections, new Spacing(connectionsPerMinute));
  }

  /** One of its addresses begins to rest. @returns whether the provider does */
  noteRest(ip: string, why: Grievance, now: number): boolean {
    for (const [other, at] of this.#rested) if (at + WITHIN_MS < now) this.#rested.delete(other);
    this.#rested.set(ip, now);
    if (this.#rested.size < ADDRESSES) return false;
    this.#rested.clear();
    return this.height.coolDown.begin(why, now);
  }
}
