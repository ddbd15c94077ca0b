import { INVALID_PER_HOUR, type ProviderLimits } from '../providers/provider-limits.ts';
import type { CoolDownCause } from './server/cool-down.ts';
import { InvalidRecipients } from './server/invalid-recipients.ts';
import { RateLimit } from './server/rate-limit.ts';
import { ScopeLimit } from './scope-limit.ts';

/** This many of a provider's addresses that cool down within this time make all of it cool down. */
const ADDRESSES = 3;
const WITHIN_MS = 60_000;

/** A listed provider as one egress address sees it. */
export class ProviderRecord<Group> {
  readonly name: string;
  readonly limit: ScopeLimit<Group>;
  readonly invalid: InvalidRecipients;
  /** The groups that wait for any of its addresses. */
  readonly groups = new Set<Group>();
  /** When its addresses began their latest cool-downs; no more are kept than are needed. */
  readonly #coolDowns = new Map<string, number>();

  constructor({ provider, connections, connectionsPerMinute, invalidPerHour }: ProviderLimits) {
    this.invalid = new InvalidRecipients(invalidPerHour ?? INVALID_PER_HOUR);
    this.name = provider;
    this.limit = new ScopeLimit({
      resource: 'connections to a provider',
      connections,
      places: 'lent',
      rate: new RateLimit(connectionsPerMinute),
    });
  }

  /** Counts a cool-down of one of its addresses. @returns whether the provider as a whole cools down now */
  countCoolDown(ip: string, cause: CoolDownCause, now: number): boolean {
    for (const [other, at] of this.#coolDowns) if (at + WITHIN_MS < now) this.#coolDowns.delete(other);
    this.#coolDowns.set(ip, now);
    if (this.#coolDowns.size < ADDRESSES) return false;
    this.#coolDowns.clear();
    return this.limit.coolDown.begin(cause, now);
  }
}
