import { keepLatest } from '../../../../schema/keep-latest.ts';
import type { CoolDownCause } from './cool-down.ts';

// Refusals of us at RCPT. A gateway serves many customers, and one customer's policy is not the gateway's: a single
// refusal there starts no cool-down. A streak does: different domains at one address that were refused, with none
// accepted in between. And since the owner of three domains at a gateway can have them say anything, the streak counts for
//
// - the account whose domains they are, once there are three of them: the address cools down for that account alone;
// - everybody, once domains of three accounts were refused, and there are three of them *no matter
//   which account is left out*. Words that we are blocked count for everybody only once the streak has lasted a while: a
//   server that has blocked us serves nobody.

/** Domains refused in a streak that make a refusal of us. */
const STREAK = 3;
/** Accounts remembered for one address, the latest. */
const ACCOUNTS_MAX = 8;
/** Accounts whose domains make a streak that counts for everybody. */
const ACCOUNTS_MIN = 3;
/** Only a server that has served nobody for this long has blocked us. */
const BLOCKED_MS = 900_000;
/** A streak without a new refusal for this long is over. */
const STREAK_LASTS_MS = 900_000;

/** For whom the address should cool down, and why. */
export type Conclusion =
  | { readonly for: 'nobody' }
  | { readonly for: 'account' | 'everybody'; readonly why: CoolDownCause };

/** Identifies one streak. */
export type StreakId = object;

type Asker<Account> = { readonly account: Account };
type Refused = { readonly domains: Map<string, CoolDownCause> };

/** The streak of refusals at one dialled address. */
export class RefusalStreak<Account> {
  /** For each account its latest refused domains, and what each was told. */
  #refused = new Map<Account, Refused>();
  #lastAt = -Infinity;
  #beganAt = 0;

  /** The current streak; a new one begins once a recipient is accepted. */
  get current(): StreakId {
    return this.#refused;
  }

  /**
   * Adds a session in which a domain was refused because of us, and no recipient accepted.
   * @param since the streak when the domain was first asked about: concurrent sessions end in any order, so if a recipient
   *   was accepted since, that was between this refusal and the others
   */
  add(
    { account }: Asker<Account>,
    domain: string,
    cause: CoolDownCause,
    now: number,
    since: StreakId = this.#refused,
  ): Conclusion {
    if (since !== this.#refused) return { for: 'nobody' };
    if (this.isForgettable(now)) {
      this.#refused.clear();
      this.#beganAt = now;
    }
    this.#lastAt = now;
    const own = this.#refused.get(account) ?? { domains: new Map<string, CoolDownCause>() };
    keepLatest(this.#refused, account, own, ACCOUNTS_MAX);
    keepLatest(own.domains, domain, cause, STREAK);
    if (this.#isOfManyAccounts()) {
      const causes = [...this.#refused.values()].flatMap(({ domains }) => [...domains.values()]);
      if (!causes.includes('blocked') || this.#beganAt + BLOCKED_MS <= now) {
        this.#refused.clear();
        return { for: 'everybody', why: causeOf(causes) };
      }
    }
    return own.domains.size >= STREAK ? { for: 'account', why: causeOf([...own.domains.values()]) } : { for: 'nobody' };
  }

  /** A recipient was accepted: the streak is over. */
  end(): void {
    this.#refused = new Map();
  }

  isForgettable(now: number): boolean {
    return this.#refused.size === 0 || this.#lastAt + STREAK_LASTS_MS <= now;
  }

  #isOfManyAccounts(): boolean {
    if (this.#refused.size < ACCOUNTS_MIN) return false;
    const accounts = [...this.#refused.keys()];
    return accounts.every((left) => {
      const others = accounts.filter((account) => account !== left).flatMap((account) => this.#domainsOf(account));
      return new Set(others).size >= STREAK;
    });
  }

  #domainsOf(account: Account): string[] {
    return [...(this.#refused.get(account)?.domains.keys() ?? [])];
  }
}

/** We are blocked only if every refusal says so. */
function causeOf(causes: readonly CoolDownCause[]): CoolDownCause {
  return causes.every((cause) => cause === 'blocked') ? 'blocked' : 'asked_too_much';
}
