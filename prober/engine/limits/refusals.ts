import { keepLatest } from '../../../schema/keep-latest.ts';
import type { Account } from '../ports/ports.ts';
import type { RestCause } from '../meaning/complaint.ts';
import { CoolDown } from './cool-down.ts';

// Refusals of us at RCPT. A gateway serves many customers, and one customer's policy is not the gateway's: a single
// refusal has no effect. Three domains of one account in a row, with nothing served in between, start a cool-down of
// the address for that account: the owner of three domains can make them say anything. Three such accounts start one
// for all, except at a listed provider: anyone can be its tenant.

/** This many domains refused in a row count as a refusal of us. */
const STREAK = 3;
/** This many accounts with a streak count as a refusal of everyone. */
const ACCOUNTS_MIN = 3;
/** Accounts remembered for one address, the latest. */
export const ACCOUNTS_MAX = 32;
/** A streak without a new refusal for this long is over. */
const STREAK_LASTS_MS = 900_000;

type Own = {
  /** It is over once the address is in another. */
  streak: number;
  /** No more than make a streak, each with what was said. */
  readonly domains: Map<string, RestCause>;
  readonly coolDown: CoolDown;
  lastAt: number;
};

export class Refusals {
  isListed = false;
  #forAll: CoolDown | null = null;
  /** Mostly empty. */
  #of: Map<Account, Own> | null = null;
  #served = 0;

  /** Identifies the current streak: it ends when a recipient is served. */
  get streak(): number {
    return this.#served;
  }

  /** Until when the address is in cool-down for everyone. */
  get restUntil(): number {
    return this.isListed ? 0 : (this.#forAll?.until ?? 0);
  }

  restsUntil(account: Account): number {
    return Math.max(this.restUntil, this.#of?.get(account)?.coolDown.until ?? 0);
  }

  /** @param since the streak when the domain was first asked about @returns whether a cool-down has begun */
  add(account: Account, domain: string, cause: RestCause, now: number, since: number): boolean {
    if (since !== this.#served) return false;
    this.#of ??= new Map();
    const own = this.#of.get(account) ?? { streak: since, domains: new Map(), coolDown: new CoolDown(), lastAt: now };
    if (!this.#lasts(own, now)) own.domains.clear();
    own.streak = since;
    own.lastAt = now;
    keepLatest(own.domains, domain, cause, STREAK);
    keepLatest(this.#of, account, own, ACCOUNTS_MAX);
    if (own.domains.size < STREAK) return false;
    const hasBegun = own.coolDown.begin(causeOf(own), now);
    const streaks = [...this.#of.values()].filter((one) => one.domains.size >= STREAK && this.#lasts(one, now));
    if (streaks.length < ACCOUNTS_MIN) return hasBegun;
    this.#served += 1;
    // However certain it sounds, it may be the policy of some domains: this cool-down is short.
    this.#forAll ??= new CoolDown();
    return this.#forAll.begin('asked_too_much', now) || hasBegun;
  }

  /** A recipient of this account got a verdict: every streak ends. */
  end(account: Account): void {
    this.#served += 1;
    this.#forAll?.ease();
    this.#of?.get(account)?.coolDown.ease();
  }

  isForgettable(now: number): boolean {
    if (this.#of === null) return true;
    return (
      this.#forAll?.isForgettable(now) !== false &&
      [...this.#of.values()].every((own) => own.coolDown.isForgettable(now) && !this.#lasts(own, now))
    );
  }

  #lasts({ streak, lastAt }: Own, now: number): boolean {
    return streak === this.#served && lastAt + STREAK_LASTS_MS > now;
  }
}

/** We are blocked only if every refusal says so. */
function causeOf({ domains }: Own): RestCause {
  return [...domains.values()].every((cause) => cause === 'blocked') ? 'blocked' : 'asked_too_much';
}
